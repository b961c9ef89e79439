/** Tells weights apart, wherever they came from. */
import { createHash } from 'node:crypto'
import type { Weights } from '../models/llama-config.ts'

/** Hashes names, sizes and every number: an edit may leave most of a parameter unchanged. 17 MB take some 30 ms. */
export function fingerprintOf(weights: Weights): string {
  const hash = createHash('sha256')
  for (const [name, values] of [...weights].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    hash.update(`${name} ${values.length} `).update(bytes)
  }
  return hash.digest('hex')
}
