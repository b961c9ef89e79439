/**
 * A document of many short entries (lines, words of a list, paragraphs) that are generated each time it is opened: only the
 * recipe is in memory, never the text.
 */
import { createHash } from 'node:crypto'
import type { TextDocument } from '@memagent/core'
import { type Random, shuffleInPlace } from '../random.ts'
import { writtenPieces } from '../written-pieces.ts'

export interface Entries {
  /** Goes between two entries. */
  readonly separator: string
  /** All entries in order; the same ones each time. */
  readonly walk: () => Iterable<string>
  /** Whether every entry is a separate text: see `Document.textStarts`. @default false */
  readonly areTexts?: boolean
}

export interface EntriesDocument {
  readonly document: TextDocument
  readonly sizeBytes: number
  /** UTF-8 byte at which each wanted entry starts, in the requested order. */
  readonly startBytes: readonly number[]
}

/** @param wanted ordinals of the entries to locate, from 0; any order */
export function documentOfEntries(
  name: string,
  entries: Entries,
  wanted: readonly number[] = [],
): EntriesDocument {
  const separatorBytes = Buffer.byteLength(entries.separator)
  const startOf = new Map(wanted.map((ordinal) => [ordinal, 0]))
  let sizeBytes = 0
  let ordinal = 0
  const textStarts: number[] = []
  for (const entry of entries.walk()) {
    sizeBytes += ordinal === 0 ? 0 : separatorBytes
    if (entries.areTexts) textStarts.push(sizeBytes)
    if (startOf.has(ordinal)) {
      startOf.set(ordinal, sizeBytes)
    }
    sizeBytes += Buffer.byteLength(entry)
    ordinal += 1
  }
  const document: TextDocument = {
    name,
    sizeBytes,
    ...(entries.areTexts ? { textStarts } : {}),
    isReopenable: true,
    async *open(signal) {
      yield* writtenPieces(name, writtenTexts(entries), signal)
    },
    async fingerprint() {
      const hash = createHash('sha256')
      for (const { text } of writtenPieces(name, writtenTexts(entries))) hash.update(text)
      return hash.digest('hex')
    },
  }
  return { document, sizeBytes, startBytes: wanted.map((one) => startOf.get(one)!) }
}

/**
 * Words in random order, each as often as its count says.
 * @param entryOf the entry for a word at a position, from 1. @default the word
 */
export function shuffledWords(
  name: string,
  random: Random,
  words: readonly string[],
  counts: readonly number[],
  entryOf = (word: string, _place: number): string => word,
): { readonly document: TextDocument; readonly entries: number } {
  const order = new Int32Array(counts.reduce((sum, count) => sum + count, 0))
  let filled = 0
  for (const [word, count] of counts.entries()) {
    order.fill(word, filled, filled + count)
    filled += count
  }
  shuffleInPlace(random, order)
  const { document } = documentOfEntries(name, {
    separator: ' ',
    *walk() {
      for (let i = 0; i < order.length; i += 1) yield entryOf(words[order[i]!]!, i + 1)
    },
  })
  return { document, entries: order.length }
}

function* writtenTexts({ separator, walk }: Entries): Generator<string> {
  let isFirst = true
  for (const entry of walk()) {
    yield isFirst ? entry : separator + entry
    isFirst = false
  }
}
