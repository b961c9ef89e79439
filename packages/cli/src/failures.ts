/** How errors are reported, and the exit codes. */
import {
  ChatError,
  ConfigurationError,
  hideAddresses,
  LimitError,
  MemAgentError,
  messageOf,
  type ReadingWarning,
} from '@memagent/core'
import { type OutputFlags, printable, printableLines, printJson, type Terminal } from './terminal.ts'

export const exitCodes = { ok: 0, failed: 1, usage: 2, notFound: 3, unsure: 4, interrupted: 130 } as const

/** The command was interrupted from outside. */
export class Interruption extends Error {}

/** The command line itself was invalid. */
export class UsageError extends MemAgentError {}

interface Failure {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string | undefined }
  readonly warnings?: readonly ReadingWarning[] | undefined
}

/** Prints to standard output, for programs that asked for it. */
export function printFailure(failure: Failure, { stdout }: Terminal, { json, events }: OutputFlags): void {
  if (events) printJson(stdout, { type: 'failure', outcome: 'failed', ...failure })
  if (json) printJson(stdout, { outcome: 'failed', ...failure })
}

/** Failures that pass with time, money, another key or a repaired server: the run can then be resumed. */
const isTransient = (error: MemAgentError | undefined): boolean =>
  error !== undefined &&
  (error.isRetryable ||
    // A model that wrote nothing usable would go on so.
    (ChatError.isInstance(error) && error.code !== 'chat/nothing-said') ||
    error.code === 'store/full' ||
    error.code === 'store/busy' ||
    LimitError.isInstance(error))

/** Prints the error (with --json or --events also to standard output) and returns the exit code. */
export function report(
  error: unknown,
  terminal: Terminal,
  flags: OutputFlags = {},
  /** `resumeHint` says how to continue a run that was stopped or gave up waiting; the warnings came before the failure. */
  { resumeHint, warnings }: { readonly resumeHint?: string | undefined } & Pick<Failure, 'warnings'> = {},
): number {
  const { stderr, environment } = terminal
  if (error instanceof Interruption) {
    stderr.write(`Interrupted.${resumeHint ? ` ${printable(resumeHint)}` : ''}\n`)
    const told = { code: 'interrupted', message: 'Interrupted.', hint: resumeHint }
    printFailure({ error: told, warnings }, terminal, flags)
    return exitCodes.interrupted
  }
  const known = MemAgentError.isInstance(error) ? error : undefined
  const message = hideAddresses(messageOf(error))
  const hints = [known?.hint, isTransient(known) ? resumeHint : undefined].filter((hint) => hint)
  const hint = hints.length === 0 ? undefined : hideAddresses(hints.join('\n'))
  const code = known?.code ?? 'unexpected'
  // Messages may contain text from servers, file names and documents.
  stderr.write(`error: ${printableLines(message)}\n`)
  if (hint) stderr.write(`  ${printableLines(hint.replaceAll('\n', '\n  '))}\n`)
  stderr.write(`  (${printable(code)})\n`)
  const stacks = environment.MEMAGENT_DEBUG ? stacksOf(error) : ''
  if (stacks !== '') stderr.write(`${printableLines(hideAddresses(stacks))}\n`)
  printFailure({ error: { code, message, hint }, warnings }, terminal, flags)
  return isWrongUsage(error) ? exitCodes.usage : exitCodes.failed
}

/** With those of its causes: the error of a user's own module is one. */
const stacksOf = (error: unknown, depth = 0): string =>
  error instanceof Error && depth < 10
    ? [error.stack ?? '', stacksOf(error.cause, depth + 1)].filter((stack) => stack).join('\ncaused by: ')
    : ''

/** Configuration errors that are not wrong usage: a program, a disk or a file is the obstacle. */
const circumstances = new Set([
  'bench/bad-record',
  'bench/unreadable-record',
  'bench/unwritable',
  'bench/unwritable-report',
  'chat/module-failed',
  'cli/no-bundled-model',
  'cli/unwritable',
  'file/locked',
  'file/unwritable',
  'gguf/not-installed',
  'gguf/not-loadable',
  'server/cannot-listen',
])

/** Whether the command line or the configuration must change: without a change, it fails again. */
function isWrongUsage(error: unknown): boolean {
  if (!MemAgentError.isInstance(error)) return false
  const { code } = error
  if (code === 'task/bad-option' || code === 'task/unknown-option' || code === 'engine/bad-option')
    return true
  return (UsageError.isInstance(error) || ConfigurationError.isInstance(error)) && !circumstances.has(code)
}
