/** Words that ask for a calculation, and need not stand in the text themselves. */
import type { Token } from '../tokens.ts'

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const cues = {
  sum: list('total altogether together sum all combined both overall sums add adds so far months pieces'),
  difference: list(
    'more less fewer difference longer shorter older younger later earlier larger smaller higher lower increase decrease rose fell fall grew took lasted last ahead behind left leaves remain remains remaining spare apart down old owned stood after before by for years days between',
  ),
  ratio: list('times twice double half thrice'),
  year: list('until ends end ended died dies expires expire born year in'),
  most: list('largest biggest highest most longest oldest tallest heaviest latest last greatest richest'),
  least: list('smallest lowest fewest least shortest youngest lightest earliest first cheapest'),
  before: list('before earlier older'),
  after: list('after later younger'),
} as const

/** "Its first year" compares nothing. */
const needsArticle = list('first last most')

const all = new Set([
  ...Object.values(cues).flatMap((words) => [...words]),
  'than',
  'points',
  'other',
  'everything',
  'long',
])

export const isCue = ({ word }: Token): boolean => all.has(word)
export const hasCue = (tokens: readonly Token[], name: keyof typeof cues): boolean =>
  tokens.some(
    ({ word }, i) => cues[name].has(word) && (!needsArticle.has(word) || tokens[i - 1]?.word === 'the'),
  )
