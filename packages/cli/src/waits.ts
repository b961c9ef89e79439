/** Waits for a server: how they are told, and ended. */
import { showDuration, type WaitNotice } from '@memagent/core'
import { type Output, printable } from './terminal.ts'

const calls: Readonly<Record<WaitNotice['call'], string>> = {
  chat: '',
  description: ' (asking for the window)',
  'token-count': ' (counting tokens)',
  embeddings: ' (embeddings)',
}

/** `rate limit (429)`, and for what was asked if that was no conversation. */
export const waitReason = ({ call, reason }: WaitNotice): string => `${reason}${calls[call]}`

/** `Waiting 12 s before attempt 3: rate limit (429)` */
export const waitText = (wait: WaitNotice): string =>
  `Waiting ${showDuration(1000 * wait.seconds)} before attempt ${wait.attempt}: ${waitReason(wait)}`

export interface Waits {
  /** Tells of a wait, until another view takes over. */
  tell: (wait: WaitNotice) => void
  /** Ends those that belong to no call of their own, such as those for counts of tokens. */
  readonly signal: AbortSignal
  end(reason: unknown): void
}

/** @param view whose notes tell of waits at first; undefined: nobody wants to know */
export function createWaits(view: { note(text: string): void } | undefined): Waits {
  const controller = new AbortController()
  return {
    tell: (wait) => view?.note(waitText(wait)),
    signal: controller.signal,
    end: (reason) => controller.abort(reason),
  }
}

/** For commands without a view of their own. */
export const notesOn = (output: Output) => ({
  note: (text: string): void => {
    output.write(`${printable(text)}\n`)
  },
})
