/** The error that refuses a request. */
import { MemAgentError, type MemAgentErrorOptions } from '@memagent/core'

export interface RequestErrorOptions extends MemAgentErrorOptions {
  /** HTTP status: 400 to 499, 500 for what is broken here, or 503. */
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503
  /** The wrong field: `messages.2.content`. */
  readonly param?: string | undefined
  /** When to try again. */
  readonly retryAfterSeconds?: number | undefined
}

/** The request cannot be served as it is, or not now. */
export class RequestError extends MemAgentError {
  readonly status: RequestErrorOptions['status']
  readonly param: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(options: RequestErrorOptions) {
    super(options)
    this.status = options.status
    this.param = options.param
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Ends the requests of a server that is about to stop. */
export const stopping = (): RequestError =>
  new RequestError({
    status: 503,
    code: 'server/stopping',
    message: 'The server is stopping.',
    retryAfterSeconds: 5,
  })

/** For requests that need a store. */
export const nothingKept = (): RequestError =>
  new RequestError({
    status: 503,
    code: 'server/nothing-kept',
    message: 'This server keeps nothing: it was started without a store, so there are no files and no runs.',
    hint: 'Start it without --no-store.',
  })

/** @param message follows the field's name: `is no file that is here.` */
export const badRequest = (param: string, message: string) =>
  new RequestError({ status: 400, code: 'server/bad-request', message: `${param}: ${message}`, param })
