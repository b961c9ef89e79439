/** What `memagent serve` logs: one line per request or failure, without texts, questions or keys. */
import { ChatError, hideAddresses, MemAgentError, messageOf } from '@memagent/core'
import type { RequestLine } from '@memagent/server'
import { Option } from 'commander'
import { type Output, printable, printJson } from '../terminal.ts'

export const logForms = ['text', 'json', 'none'] as const
export type LogForm = (typeof logForms)[number]

export const logOption = () =>
  new Option('--log <form>', 'one line for every request and failure (default: text)').choices(logForms)

export interface ServeLog {
  readonly onRequest: ((line: RequestLine) => void) | undefined
  readonly onFailure: (error: unknown) => void
}

/** @param now milliseconds since 1970 */
export function createLog(
  form: LogForm,
  stream: Pick<Output, 'write'>,
  now: () => number = Date.now,
): ServeLog {
  const time = () => new Date(now()).toISOString()
  const json = (line: object) => printJson(stream, line)
  // No requests, but still failures.
  if (form === 'none')
    return { onRequest: undefined, onFailure: (error) => void stream.write(failureText(error)) }
  if (form === 'json') {
    return {
      onRequest: ({ ms, ...line }) =>
        json({ time: time(), level: 'info', ...line, ms: Math.round(ms * 10) / 10 }),
      onFailure: (error) => json({ time: time(), level: 'error', ...failureFields(error) }),
    }
  }
  return {
    onRequest: (line) => void stream.write(`${time()} ${requestText(line)}\n`),
    onFailure: (error) => void stream.write(`${time()} ${failureText(error)}`),
  }
}

const requestText = ({ method, route, status, ms, client, run }: RequestLine): string =>
  [
    ...[method, route, status, `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`],
    client === undefined ? undefined : `key ${printable(client)}`,
    run === undefined ? undefined : `run ${run}`,
  ]
    .filter((part) => part !== undefined)
    .join(' ')

function failureFields(error: unknown): { readonly code: string; readonly message: string } {
  const code = MemAgentError.isInstance(error) ? error.code : 'unexpected'
  const message = replyText(error) ?? messageOf(error)
  return { code, message: hideAddresses(message) }
}

/** The message for an error that quotes the reply of a model's server, which may repeat what it was sent. */
function replyText(error: unknown): string | undefined {
  if (!ChatError.isInstance(error)) return undefined
  const { status, url, serverCode } = (error.details ?? {}) as Readonly<Record<string, unknown>>
  if (status === undefined) return undefined
  const said = typeof serverCode === 'string' ? ` (${serverCode.slice(0, 100)})` : ''
  return `The model's server at ${url} replied ${status}${said}`
}

function failureText(error: unknown): string {
  const { code, message } = failureFields(error)
  return `failed: ${printable(code)}: ${printable(message)}\n`
}
