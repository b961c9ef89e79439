/** Reports waits for a server, and ends them. */
import { showDuration, type WaitNotice } from '@memagent/core'
import { type Output, printable } from './terminal.ts'

const calls: Readonly<Record<WaitNotice['call'], string>> = {
  chat: '',
  description: ' (asking for the window)',
  'token-count': ' (counting tokens)',
  embeddings: ' (embeddings)',
}

/** `rate limit (429)`, and the kind of request if it was not a conversation. */
export const waitReason = ({ call, reason }: WaitNotice): string => `${reason}${calls[call]}`

/** `Waiting 12 s before attempt 3: rate limit (429)` */
export const waitText = (wait: WaitNotice): string =>
  `Waiting ${showDuration(1000 * wait.seconds)} before attempt ${wait.attempt}: ${waitReason(wait)}`

export interface ServerWaits {
  /** Reports a wait; a view may replace this function. */
  report: (wait: WaitNotice) => void
  /** Ends waits outside of calls with their own signal, such as those for token counts. */
  readonly signal: AbortSignal
  end(reason: unknown): void
}

/** @param view prints notes about waits at first; undefined: waits are not reported */
export function createServerWaits(view: { note(text: string): void } | undefined): ServerWaits {
  const controller = new AbortController()
  return {
    report: (wait) => view?.note(waitText(wait)),
    signal: controller.signal,
    end: (reason) => controller.abort(reason),
  }
}

/** For commands without a view. */
export const notesOn = (output: Output) => ({
  note: (text: string): void => {
    output.write(`${printable(text)}\n`)
  },
})
