/** A reading of the command line as a run in the store. */
import { randomUUID } from 'node:crypto'
import {
  CheckpointError,
  type CheckpointStore,
  ConfigurationError,
  type ConversationCache,
  LimitError,
  MemAgentError,
  type TextDocument,
} from '@memagent/core'
import {
  type RunDescription,
  type RunResult,
  type RunStore,
  type RunWriter,
  StoreError,
} from '@memagent/store'
import type { LimitFlags } from '../commands/limit-options.ts'
import type { TextFlags } from '../commands/open-text.ts'
import type { QuestionList } from '../questions/question-list.ts'
import type { Terminal } from '../terminal.ts'
import { count, type ProgressView } from '../view/progress.ts'
import { keptFailure } from './kept-failure.ts'
import { findInput, type KeptInput, keepInput, withKeptInput } from './kept-input.ts'
import { namingStore, type StorePlace, storeArgument } from './open-store.ts'
import { removeInput } from './remove-input.ts'
import { changesOf, type RunSettings, settingsFrom, settingsOf, storedSettings } from './run-settings.ts'
import type { StoreFlags } from './store-option.ts'

export interface RunRequest {
  readonly question: string | undefined
  /** Several questions, with their ids. */
  readonly questions?: QuestionList | undefined
  readonly files: readonly string[]
  readonly flags: StoreFlags & Pick<LimitFlags, 'maxCalls' | 'maxCost'> & Pick<TextFlags, 'loader'>
  /** The run to resume. @default the unfinished one of the same reading, otherwise a new one */
  readonly resumed?: string | undefined
}

/** Twice the limits of the reading. */
const higherLimits = ({ maxCalls, maxCost }: RunRequest['flags']): string =>
  [
    ...(maxCalls === undefined ? [] : [`--max-calls ${2 * maxCalls}`]),
    ...(maxCost === undefined ? [] : [`--max-cost ${2 * maxCost}`]),
  ].join(' ')

export class KeptRun {
  readonly #store: RunStore
  readonly #place: StorePlace
  readonly #request: RunRequest
  readonly #view: ProgressView | undefined
  #input: KeptInput | undefined
  #settings: RunSettings | undefined
  #writer: RunWriter | undefined

  constructor(store: RunStore, place: StorePlace, request: RunRequest, view: ProgressView | undefined) {
    this.#store = store
    this.#place = place
    this.#request = request
    this.#view = view
  }

  /** Undefined until the reading has begun. */
  get id(): string | undefined {
    return this.#writer?.id
  }

  /** Replies of all runs, once `checkpoints` was called. */
  get replies(): ConversationCache | undefined {
    return this.#writer?.replies
  }

  /**
   * The text of the run; standard input is kept first.
   * @param open opens the text, with the standard input of this terminal
   * @throws what `open` throws, StoreError
   */
  async openText(
    terminal: Terminal,
    open: (terminal: Terminal) => Promise<TextDocument>,
  ): Promise<TextDocument> {
    const { files, flags, resumed } = this.#request
    const readsInput = files.length === 0 || files.includes('-')
    if (resumed !== undefined) {
      const { input } = settingsFrom(await this.#store.load(resumed))
      if (input !== undefined) this.#input = await findInput(this.#place.inputs, input)
    } else if (readsInput && !terminal.stdin.isTTY) {
      this.#input = await keepInput(terminal.stdin, this.#place.inputs, this.#view)
    }
    if (!this.#input) return open(terminal)
    const isAlone = files.length < 2 && !flags.loader
    return withKeptInput(this.#input, isAlone, (stdin) => open({ ...terminal, stdin }))
  }

  /** Identifies a followed standard input, with which only its own run can go on. */
  async followedInput(): Promise<string> {
    const { resumed } = this.#request
    const name = resumed === undefined ? undefined : (await this.#store.load(resumed)).identity.document
    return typeof name === 'string' ? name : `followed:${randomUUID()}`
  }

  /** Begins, continues or resumes the run. */
  async checkpoints(document: string, model: string, workflow: string): Promise<CheckpointStore> {
    const { question, questions: list, files, flags, resumed } = this.#request
    if (resumed !== undefined) {
      this.#settings = settingsFrom(await this.#store.load(resumed))
      this.#writer = await this.#store.resume(resumed)
      return this.#writer
    }
    this.#settings = await settingsOf(files, flags, this.#input?.name, list?.asked)
    const settings = storedSettings(this.#settings)
    const questions = list?.read.map(({ text }) => text)
    const description = { question, questions, document, model, workflow, settings }
    this.#writer = this.#store.begin(description, async (id, isContinued) => {
      if (!isContinued) return this.#tellOfOthers(id)
      // It is resumed as this command asked: with its options, files, and ids of questions.
      await this.#store.setSettings(id, settings)
      this.#view?.note(`This reading was begun before: continuing run ${id}.`)
    })
    return this.#writer
  }

  /** Notes an unfinished run of the same questions and files that cannot go on, since files have changed. */
  async #tellOfOthers(created: string): Promise<void> {
    const { question, questions: list, files } = this.#request
    const asked = (one: Pick<RunDescription, 'question' | 'questions'>) =>
      [one.question, ...(one.questions ?? [])].join('\0')
    const wanted = asked({ question, questions: list?.read.map(({ text }) => text) })
    for (const { id, steps, ...run } of await this.#store.list({ state: 'unfinished' })) {
      if (id === created || asked(run) !== wanted || files.length === 0) continue
      const changes = await changesSince(run.settings, files)
      if (changes.length === 0) continue
      this.#view?.note(
        `Run ${id} of ${list ? 'these questions' : 'this question'} stopped after step ${count(steps)}, and cannot be continued: ${changes.join('; ')}. Reading from the start.`,
      )
      return
    }
  }

  /** A failure to store the result must not hide it: it was paid for. @returns why it was not stored */
  async finish(result: RunResult): Promise<string | undefined> {
    try {
      await this.#writer?.finish(result)
      return undefined
    } catch (error) {
      if (!StoreError.isInstance(error)) throw error
      return `This result is not kept: ${error.message}`
    }
  }

  /** @returns the error, in words that suit a run in a store */
  async stop(error: unknown): Promise<unknown> {
    const explained = await this.#explained(error)
    // The error that ended the run matters more than a failure to record it.
    await this.#writer?.stop(keptFailure(explained)).catch(() => undefined)
    return namingStore(explained, this.#request.flags)
  }

  /** How to resume after this error; undefined if nothing was begun. */
  resumeHint(error: unknown): string | undefined {
    if (this.id === undefined) return undefined
    const { flags } = this.#request
    const higher = LimitError.isInstance(error) ? `, with a higher limit (${higherLimits(flags)})` : ''
    return `Resume it${higher}: memagent resume ${this.id}${storeArgument(flags)}`
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#writer?.stop().catch(() => undefined)
    if (this.#input) await removeInput(this.#store, this.#place, this.#input.name).catch(() => undefined)
    await this.#store.close()
  }

  async #explained(error: unknown): Promise<unknown> {
    if (StoreError.isInstance(error) && error.code === 'store/another-run' && this.#settings) {
      const { code, message, hint, details } = error
      const named = withChanges(message, await changesOf(this.#settings))
      return new StoreError({ code, message: named, hint, details, cause: error })
    }
    const id = this.id ?? this.#request.resumed
    if (!MemAgentError.isInstance(error) || id === undefined) return error
    const { code, message, details } = error
    const anew = `To start over, remove the run: memagent runs rm ${id}${storeArgument(this.#request.flags)}`
    if (code === 'checkpoint/of-another-run') {
      const changes = this.#settings ? await changesOf(this.#settings) : []
      const of = message.replace(
        'The checkpoint belongs to another run',
        `This is not what run ${id} was begun with`,
      )
      return new StoreError({
        code: 'store/changed',
        message: withChanges(of, changes),
        hint: anew,
        details,
        cause: error,
      })
    }
    if (CheckpointError.isInstance(error)) {
      return new CheckpointError({ code, message, hint: anew, details, cause: error })
    }
    if (code === 'reading/window-too-small') {
      const hint = `A run keeps its window: serve the model with one as large as before. ${anew}`
      return new ConfigurationError({ code, message, hint, details, cause: error })
    }
    if (code !== 'chat/nothing-said') return error
    return new MemAgentError({ code, message, hint: anew, details, cause: error })
  }
}

const withChanges = (message: string, changes: readonly string[]) =>
  changes.length === 0 ? message : `${message} ${changes.join('; ')}.`

async function changesSince(settings: unknown, files: readonly string[]): Promise<readonly string[]> {
  try {
    const before = settingsFrom({ id: '', settings: settings as never })
    const isSame = before.folder === process.cwd() && before.files.join('\0') === files.join('\0')
    return isSame ? await changesOf(before) : []
  } catch {
    // Imported, or begun by another program.
    return []
  }
}
