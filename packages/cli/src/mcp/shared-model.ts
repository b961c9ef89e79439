/** The model of all readings of this process: loaded when the first one begins, and once. */
import { isDeepStrictEqual } from 'node:util'
import { MemAgentError } from '@memagent/core'
import type { ServedModel } from '@memagent/server'
import { type ModelRequest, type OpenedModel, openModel } from '../backends.ts'
import type { OpenModel } from '../sessions/open-reader.ts'

export interface SharedModelOptions {
  readonly request: ModelRequest
  /** @throws the signal's reason */
  readonly open: (
    signal: AbortSignal,
  ) => Promise<{ readonly opened: OpenedModel; readonly served: ServedModel }>
}

export class SharedModel {
  /** Filled when it is loaded. */
  readonly served: ServedModel[] = []
  readonly #options: SharedModelOptions
  readonly #closing = new AbortController()
  #loading: Promise<OpenedModel> | undefined

  constructor(options: SharedModelOptions) {
    this.#options = options
  }

  /** Tried again after it failed. */
  load(): Promise<OpenedModel> {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  /** For a reading that would close it. Sessions that were begun with another model get their own. */
  readonly borrow: OpenModel = async (request, ...others) => {
    if (!isDeepStrictEqual(defined(request), defined(this.#options.request)))
      return openModel(request, ...others)
    const { model, isBundled } = await this.load()
    return { model: Object.create(model, { close: { value: undefined } }), isBundled }
  }

  /** What waits for it to be opened fails. */
  stopOpening(): void {
    this.#closing.abort(stopped())
  }

  async close(): Promise<void> {
    const opened = await this.#loading?.catch(() => undefined)
    await opened?.model.close?.()
  }

  async #load(): Promise<OpenedModel> {
    const { signal } = this.#closing
    signal.throwIfAborted()
    const { opened, served } = await this.#options.open(signal)
    this.served.push(served)
    return opened
  }
}

const stopped = () => new MemAgentError({ code: 'interrupted', message: 'The client went away.' })

const defined = (request: ModelRequest) =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
