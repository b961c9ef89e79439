/** Words that indicate a calculation, and need not be in the text. */
import type { Token } from '../token.ts'

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const total = list(
  'total altogether together sum all combined both overall add adds entire whole pieces totals totalled',
)
const change = list(
  'rise rose rises risen increase increased fell fall falls fallen decline declined decrease decreased drop dropped grow grew grown cheaper expensive reduced cut went gained lost',
)
const other = list(`
more less fewer difference longer shorter older younger later earlier larger smaller higher lower took take takes taken lasted lasts last ahead behind left leaves
end ended died expires expire born year year's month largest biggest highest most oldest tallest heaviest latest greatest smallest lowest fewest least
shortest lightest earliest first cheapest than points other everything long became become got margin share made make up account accounted accounts comes come`)

export const isCue = ({ word }: Token): boolean => total.has(word) || change.has(word) || other.has(word)
export const speaksOfTotal = (tokens: readonly Token[]): boolean => tokens.some(({ word }) => total.has(word))
export const speaksOfChange = (tokens: readonly Token[]): boolean =>
  tokens.some(({ word }) => change.has(word))
