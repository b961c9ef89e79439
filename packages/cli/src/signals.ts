/** Signals that interrupt a command: Ctrl-C, and the request of another program to end. */
import { exitCodes, Interruption, report } from './failures.ts'
import type { ServerWaits } from './server-waits.ts'
import type { OutputFlags, Terminal } from './terminal.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/** @returns stops listening */
export function onSignals(listener: () => void): () => void {
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}

/** Resolves at the first signal; a second one ends the process, unless somebody listens. */
export const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const unlisten = onSignals(() => {
      unlisten()
      resolve()
    })
  })

/**
 * The first signal interrupts the work, which may still write what is pending; a second one ends the process.
 * @param waits for a server, which end, too
 * @param instead replaces the signals of the process
 */
export function interruptedBySignals(
  waits?: ServerWaits,
  instead?: AbortSignal,
): { readonly signal: AbortSignal; readonly unlisten: () => void } {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted)
    const reason = new Interruption('interrupted')
    controller.abort(reason)
    waits?.end(reason)
  }
  const { signal } = controller
  if (!instead) return { signal, unlisten: onSignals(interrupt) }
  if (instead.aborted) interrupt()
  instead.addEventListener('abort', interrupt, { once: true })
  return { signal, unlisten: () => instead.removeEventListener('abort', interrupt) }
}

/**
 * Does work that leaves nothing to resume: a signal ends the process once `leave` is done, a second one at once.
 * @param terminal its interruption replaces the signals of the process; the reading will listen to it
 */
export async function leavingOnSignals<T>(
  work: () => Promise<T>,
  terminal: Terminal,
  flags: OutputFlags,
  view: { end(): void } | undefined,
  leave: () => Promise<unknown> = async () => undefined,
): Promise<T> {
  if (terminal.interruption) return work()
  const unlisten = onSignals(() => {
    unlisten()
    view?.end()
    const exitCode = report(new Interruption('interrupted'), terminal, flags)
    void leave().finally(() => process.exit(exitCode))
  })
  return work().finally(unlisten)
}
