/** The option --ahead: how many chunks to ask about at once while the memory does not change. */
import { defaultConcurrency, type Workflow } from '@memagent/core'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'

export interface AheadFlags {
  readonly ahead?: number | 'auto'
  readonly model?: string
  readonly concurrency?: number
}

/** @param standard the default, in the words of the help */
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
 * @param questions how many are read side by side: they fill the concurrent calls without waste. @default 1
 */
export function chunksAhead(flags: AheadFlags, workflow: Workflow | undefined, questions = 1): number {
  if (workflow && (!workflow.unchanged || workflow.run)) return 1
  const { model, concurrency = defaultConcurrency } = flags
  const isEmbedded = model === undefined || model.startsWith('embedded:')
  const ahead = flags.ahead ?? (isEmbedded ? 'auto' : 1)
  return ahead === 'auto' ? Math.max(1, Math.floor(concurrency / questions)) : ahead
}

/** On a server, only if asked for: other clients may want to read at the same time. */
export const serverChunksAhead = (flags: AheadFlags, workflow: Workflow | undefined): number | undefined =>
  flags.ahead === undefined ? undefined : chunksAhead(flags, workflow)

/** A note for users whose `--ahead` has no effect. */
export function noteOnAhead({ ahead = 1 }: AheadFlags, workflow: Workflow): string | undefined {
  if (ahead === 1 || (workflow.unchanged && !workflow.run)) return undefined
  return `The workflow ${workflow.name} cannot read ahead: --ahead has no effect.`
}
