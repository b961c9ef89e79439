/** Standard input as a document of a session. */

import { UsageError } from '../failures.ts'
import { type KeptInput, keepInput } from '../run-store/kept-input.ts'
import type { StorePlace } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'

/**
 * Keeps standard input if `-` is among the files, under the name of its reading.
 * @throws UsageError if it is a terminal, or given twice; what `keepInput` throws
 */
export async function keepSessionInput(
  files: readonly string[],
  { inputs }: StorePlace,
  { stdin }: Terminal,
  view: ProgressView | undefined,
  reading: number,
): Promise<(KeptInput & { readonly as: string }) | undefined> {
  const times = files.filter((file) => file === '-').length
  if (times === 0) return undefined
  if (times > 1 || stdin.isTTY) {
    const message =
      times > 1
        ? 'Standard input (-) is given more than once, but can be read only once.'
        : 'Standard input (-) is a terminal, not a text.'
    throw new UsageError({ code: 'cli/no-text', message, hint: 'For a file named "-", write ./-' })
  }
  const kept = await keepInput(stdin, inputs, view)
  return { ...kept, as: `standard input (reading ${reading})` }
}
