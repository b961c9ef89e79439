/** Tells weights apart without hashing all of them: training changes every parameter. */
import { createHash } from 'node:crypto'
import type { Weights } from '../models/llama-config.ts'

/** Numbers that count of each parameter. */
const samples = 4096

/** From names, sizes and numbers throughout every parameter. */
export function fingerprintOf(weights: Weights): string {
  const hash = createHash('sha256')
  for (const [name, values] of [...weights].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const step = Math.max(1, Math.floor(values.length / samples))
    const some = Float32Array.from({ length: Math.ceil(values.length / step) }, (_, i) => values[i * step]!)
    hash.update(`${name} ${values.length} `).update(new Uint8Array(some.buffer))
  }
  return hash.digest('hex')
}
