/** The model of all readings in this process, loaded once, when the first one begins. */
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
  /** Filled once the model is loaded. */
  readonly served: ServedModel[] = []
  readonly #options: SharedModelOptions
  readonly #closing = new AbortController()
  #loading: Promise<OpenedModel> | undefined

  constructor(options: SharedModelOptions) {
    this.#options = options
  }

  /** Tries again after a failure. */
  load(): Promise<OpenedModel> {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  /** The model without `close`, for a reading that would close it. Sessions begun with another model open their own. */
  readonly borrow: OpenModel = async (request, ...others) => {
    if (!isDeepStrictEqual(defined(request), defined(this.#options.request)))
      return openModel(request, ...others)
    const { model, isBundled } = await this.load()
    return { model: Object.create(model, { close: { value: undefined } }), isBundled }
  }

  /** Makes everything fail that waits for the model to open. */
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
