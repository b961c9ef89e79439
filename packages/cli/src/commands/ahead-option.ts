/** The option --ahead: chunks that may be asked about at the same time, as long as the memory does not change. */
import { defaultConcurrency, type Workflow } from '@memagent/core'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'

export interface AheadFlags {
  readonly ahead?: number | 'auto'
  readonly model?: string
  readonly concurrency?: number
}

/** @param standard what is done without it */
export const addAheadOption = (command: Command, standard: string): Command =>
  command.option(
    '--ahead <n|auto>',
    `chunks to ask about at once while the memory does not change; auto: as many as --concurrency (default: ${standard})`,
    parseAhead,
  )

const parseAhead = Object.assign(
  (text: string): number | 'auto' => {
    if (text === 'auto') return text
    const chunks = Number(text)
    if (Number.isSafeInteger(chunks) && chunks > 0) return chunks
    throw new UsageError({
      code: 'cli/bad-option',
      message: `--ahead must be auto, or a whole number above 0, not ${text}.`,
    })
  },
  { written: { type: ['integer', 'string'], minimum: 1, pattern: '^(auto|[1-9]\\d*)$' } },
)

/**
 * Without the option, a model in this process reads ahead, since a wasted call costs no money there.
 * @param workflow undefined: the model's own
 * @param questions that are read side by side, and fill the calls at once without waste. @default 1
 */
export function chunksAhead(flags: AheadFlags, workflow: Workflow | undefined, questions = 1): number {
  if (workflow && (!workflow.unchanged || workflow.run)) return 1
  const { model, concurrency = defaultConcurrency } = flags
  const isEmbedded = model === undefined || model.startsWith('embedded:')
  const ahead = flags.ahead ?? (isEmbedded ? 'auto' : 1)
  return ahead === 'auto' ? Math.max(1, Math.floor(concurrency / questions)) : ahead
}

/** Of a server, only where it is asked for: other clients may want to read meanwhile. */
export const serverChunksAhead = (flags: AheadFlags, workflow: Workflow | undefined): number | undefined =>
  flags.ahead === undefined ? undefined : chunksAhead(flags, workflow)

/** What somebody must know who asked for it in vain. */
export function noteOnAhead({ ahead = 1 }: AheadFlags, workflow: Workflow): string | undefined {
  if (ahead === 1 || (workflow.unchanged && !workflow.run)) return undefined
  return `The workflow ${workflow.name} cannot read ahead: --ahead has no effect.`
}
