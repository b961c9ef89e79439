/** Patterns of names and values: texts with slots to fill. `data/facts/names.yaml` lists the slots. */
import { z } from 'zod'
import { lines } from '../data/load-data.ts'
import type { Random } from '../random.ts'
import { capitalise, plural, withIndefiniteArticle } from './grammar.ts'
import { brandName, firstName, surname, townName } from './name-parts.ts'
import { type DrawText, drawWord, isWordList } from './words.ts'

/** Parts to concatenate: fixed texts and draws. */
export type Pattern = readonly (string | DrawText)[]

const letters = 'ABCDEFGHJKLMNPRSTUVWX'
const drawNoun = (random: Random): string => capitalise(drawWord(random, 'noun'))

const ownSlots: Readonly<Record<string, DrawText>> = {
  firstName,
  surname,
  town: townName,
  brand: brandName,
  letter: (random) => letters.charAt(random.int(letters.length)),
  Nouns: (random) => plural(drawNoun(random)),
  'A noun': (random) => withIndefiniteArticle(drawNoun(random)),
}

/** @returns undefined for an unknown slot */
function drawOfSlot(slot: string): DrawText | undefined {
  const own = ownSlots[slot]
  if (own !== undefined) return own
  if (slot.includes('|')) {
    const texts = slot.split('|')
    return (random) => random.pick(texts)
  }
  const [, low, high] = /^(\d+)-(\d+)$/.exec(slot) ?? []
  if (low !== undefined) return (random) => String(random.between(Number(low), Number(high)))
  const list = slot.charAt(0).toLowerCase() + slot.slice(1)
  if (!isWordList(list)) return undefined
  return slot === list ? (random) => drawWord(random, list) : (random) => capitalise(drawWord(random, list))
}

/** `the {Adjective} {Noun}` */
const pattern = z.string().transform((line, context): Pattern => {
  const pieces = line.split(/\{([^}]*)\}/)
  return pieces.flatMap((piece, i): Pattern => {
    if (i % 2 === 0 || piece === '') return piece === '' ? [] : [piece]
    const draw = drawOfSlot(piece)
    if (draw === undefined) {
      context.addIssue({ code: 'custom', message: `"${line}" has the unknown slot {${piece}}` })
    }
    return [draw ?? piece]
  })
})

/** A block of patterns, one per line. */
export const patterns = lines.pipe(z.array(pattern).min(1))

export const drawParts = (random: Random, parts: Pattern): string[] =>
  parts.map((part) => (typeof part === 'string' ? part : part(random)))

/** Draws one of the patterns, and then its text. */
export const drawFromPatterns = (list: readonly Pattern[]): DrawText =>
  list.length === 1
    ? (random) => drawParts(random, list[0]!).join('')
    : (random) => drawParts(random, random.pick(list)).join('')
