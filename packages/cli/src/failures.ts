/** How errors are told, and the exit codes. */
import { MemAgentError } from '@memagent/core'
import { printable, printableLines, printJson, type Terminal } from './terminal.ts'

export const exitCodes = { ok: 0, failed: 1, usage: 2, notFound: 3, unsure: 4, interrupted: 130 } as const

/** Why a command was stopped from outside. */
export class Interruption extends Error {}

/** The command line itself was wrong. */
export class UsageError extends MemAgentError {}

/** Tells the error (as JSON on standard output, too, when asked for) and gives the exit code. */
export function report(
  error: unknown,
  terminal: Terminal,
  options: { readonly json: boolean; readonly resumeHint?: string | undefined },
): number {
  const { stderr, stdout, environment } = terminal
  if (error instanceof Interruption) {
    stderr.write(`Interrupted.${options.resumeHint ? ` ${printable(options.resumeHint)}` : ''}\n`)
    return exitCodes.interrupted
  }
  const known = MemAgentError.isInstance(error) ? error : undefined
  const message = known?.message ?? (error instanceof Error ? error.message : String(error))
  const code = known?.code ?? 'unexpected'
  // Servers, file names and documents have their say in messages.
  stderr.write(`error: ${printableLines(message)}\n`)
  if (known?.hint) stderr.write(`  ${printableLines(known.hint)}\n`)
  stderr.write(`  (${printable(code)})\n`)
  if (environment.MEMAGENT_DEBUG && error instanceof Error)
    stderr.write(`${printableLines(error.stack ?? '')}\n`)
  if (options.json) printJson(stdout, { outcome: 'failed', error: { code, message, hint: known?.hint } })
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}
