/**
 * Tens of thousands of texts as UTF-8 in a few large blocks, each text once: a third of the memory of strings, and nothing
 * for the garbage collector to scan.
 */
import { hash } from 'node:crypto'

export interface TextStore {
  readonly count: number
  /** @throws RangeError for a number not returned by `add` */
  textOf(number: number): string
  bytesOf(number: number): number
}

export interface GrowingTextStore extends TextStore {
  /** The number of the text, from 0; equal texts have the same number. */
  add(text: string): number
}

const blockBytes = 1 << 20

export function createTextStore(): GrowingTextStore {
  const blocks: Buffer[] = []
  const places: { readonly block: number; readonly start: number; readonly end: number }[] = []
  const numbers = new Map<string, number>()
  let used = 0
  return {
    get count() {
      return places.length
    },
    add(text) {
      const bytes = Buffer.from(text)
      const key = hash('sha256', bytes, 'base64')
      const known = numbers.get(key)
      if (known !== undefined) {
        return known
      }
      if (blocks.length === 0 || used + bytes.length > blockBytes) {
        blocks.push(Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes.length)))
        used = 0
      }
      const block = blocks.length - 1
      bytes.copy(blocks[block]!, used)
      places.push({ block, start: used, end: used + bytes.length })
      used += bytes.length
      numbers.set(key, places.length - 1)
      return places.length - 1
    },
    textOf(number) {
      const { block, start, end } = placeOf(number)
      return blocks[block]!.toString('utf8', start, end)
    },
    bytesOf(number) {
      const { start, end } = placeOf(number)
      return end - start
    },
  }

  function placeOf(number: number) {
    const place = places[number]
    if (place === undefined) {
      throw new RangeError(`there is no text ${number} among ${places.length}`)
    }
    return place
  }
}
