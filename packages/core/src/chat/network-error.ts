/** Turns what `fetch` throws into an error that says what to check. Wrong addresses are told apart from passing faults. */
import { ChatError, ChatTimeoutError } from '../errors.ts'
import { showAddress } from './address-text.ts'
import { absentProxy, proxyError, type Tried } from './proxy-error.ts'
import { redactedCause } from './redactor.ts'
import { noTls } from './wrong-protocol.ts'

/** Nobody listens at the address: worth a retry only if the server has answered before. */
const absent: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host with that name',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
}

const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/
/** How OpenSSL describes a reply that is not TLS. */
const noTlsAnswer = /wrong version number|packet length too long|http request/i

/** @param redact removes secrets from the cause's message */
export function networkError(thrown: unknown, address: string, redact: (text: string) => string): ChatError {
  const error = redactedCause(thrown, redact)
  const url = showAddress(address)
  const fault = faultIn(thrown)
  const code = fault?.code
  const details = { url, ...(code === undefined ? {} : { networkCode: code }) }
  const refused = proxyError(messages(thrown), address, error)
  if (refused) return refused
  const reason = code === undefined ? undefined : absent[code]
  if (fault && reason !== undefined) {
    const proxy = absentProxy(fault, address)
    return new ChatError({
      code: 'chat/unreachable',
      message: `No ${proxy === undefined ? 'server at' : `proxy at ${proxy}, between here and`} ${url}: ${reason} (${code})`,
      hint: proxy
        ? 'Check HTTP_PROXY and HTTPS_PROXY. A host that is named in NO_PROXY is reached without a proxy.'
        : 'Check the base URL, and that the model server is running.',
      details,
      isRetryable: true,
      cause: error,
    })
  }
  if (
    code !== undefined &&
    /ERR_SSL|EPROTO/.test(code) &&
    noTlsAnswer.test(`${code} ${messages(thrown)}`.replaceAll('_', ' '))
  ) {
    return noTls(address, error)
  }
  if (code !== undefined && certificate.test(code)) {
    return new ChatError({
      code: 'chat/certificate',
      message: `The certificate or protocol of ${url} was not accepted (${code})`,
      hint: 'Check whether the URL needs http or https; for a private certificate authority set NODE_EXTRA_CA_CERTS.',
      details,
      cause: error,
    })
  }
  if (code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code)) {
    const isPatienceOfFetch = code === 'UND_ERR_HEADERS_TIMEOUT'
    return new ChatTimeoutError({
      code: 'chat/timeout',
      message: `The connection to ${url} timed out (${code})`,
      hint: isPatienceOfFetch
        ? "Node's fetch waits at most five minutes for a reply to begin. Pass `fetch: createPatientFetch()` from @memagent/core/node for slow models."
        : 'Is the server overloaded, or a firewall in the way?',
      details,
      isRetryable: true,
      cause: error,
    })
  }
  return new ChatError({
    code: 'chat/connection',
    message: `The connection to ${url} broke${code === undefined ? '' : ` (${code})`}`,
    hint: 'The server may have crashed or restarted; see its log.',
    details,
    isRetryable: true,
    cause: error,
  })
}

/** True when nobody listens there: a wrong URL unless the server has answered before. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ChatError && error.code === 'chat/unreachable'
}

/** The same error, marked as not worth a retry. */
export function withoutRetry(error: ChatError): ChatError {
  const { code, message, hint, details, cause } = error
  return new (error.constructor as typeof ChatError)({ code, message, hint, details, cause })
}

function messages(error: unknown): string {
  const inner = error instanceof Error ? (error.cause ?? (error as AggregateError).errors?.[0]) : undefined
  return `${(error as Error)?.message ?? ''} ${inner === undefined ? '' : messages(inner)}`
}

interface Fault extends Tried {
  readonly code: string
}

/** The system's error, wherever it is in the chain of causes. */
function faultIn(error: unknown): Fault | undefined {
  let current: unknown = error
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    const { code, errors, cause } = current as { code?: unknown; errors?: unknown; cause?: unknown }
    // Where a host has several addresses, only the fault of each says which was tried.
    const ofOne = Array.isArray(errors) ? errors[0] : undefined
    if (typeof code === 'string' && code !== '') return { ...current, ...ofOne, code }
    current = cause ?? ofOne
  }
  return undefined
}
