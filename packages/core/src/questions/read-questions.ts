/**
 * Several questions about one text, side by side. Each is a reading with its own memory, and ends as it would alone. The text is
 * loaded, decoded and cut once, calls share one limit, and everything is one run with one checkpoint.
 */
import type { ChatModel, ModelDescription } from '../chat/chat.ts'
import { createConcurrencyLimit } from '../chat/concurrency-limit.ts'
import type { TextDocument } from '../documents/document.ts'
import { CheckpointError, ConfigurationError, DocumentError, LimitError, MemAgentError } from '../errors.ts'
import { checkOptions } from '../reading/check-options.ts'
import { checkedStore } from '../reading/checked-store.ts'
import { defaultConcurrency } from '../reading/context.ts'
import type { CallUsage } from '../reading/events.ts'
import { withinLimits } from '../reading/limits.ts'
import { readDocument } from '../reading/reader.ts'
import { noCalls } from '../reading/usage.ts'
import { checkedTokenizer } from '../tokenizers/checked-tokenizer.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { defaultWorkflowOf, profileFor } from '../workflows/registry.ts'
import type { Json, Workflow } from '../workflows/workflow.ts'
import { checkQuestions } from './check-questions.ts'
import { EventQueue } from './event-queue.ts'
import { QuestionCheckpoints } from './question-checkpoints.ts'
import type { QuestionEvent, QuestionsOptions } from './questions.ts'
import { SharedChunks } from './shared-chunks.ts'

/**
 * Yields the events of all questions as they happen. Each question ends with `answer` or `question-failed`, and a failed one does
 * not end the others. A resumed run asks only what is missing.
 * @throws errors that concern all questions, as `readDocument` does; ConfigurationError before the first call, naming the
 * question that is too long; LimitError when no further call may be made; the error of the first if all of them failed
 */
export async function* readQuestions<State extends Json>(
  options: QuestionsOptions<State>,
): AsyncGenerator<QuestionEvent> {
  const settled = await settle(options)
  const readings = new Readings(settled)
  const queue = new EventQueue<QuestionEvent>()
  try {
    yield* queue.during(readings.run((event) => queue.put(event)))
  } finally {
    await readings.end()
  }
}

type Settled<State extends Json> = QuestionsOptions<State> & {
  readonly workflow: Workflow<State>
  readonly signal: AbortSignal
}

/** Settings that all questions share, once each of them fits. */
async function settle<State extends Json>(options: QuestionsOptions<State>): Promise<Settled<State>> {
  const { questions, model, signal = new AbortController().signal } = options
  checkOptions(options)
  const given = options.profile ?? model.profile
  const workflow = (options.workflow ?? (await defaultWorkflowOf(given ?? {}))) as Workflow<State>
  const profile = given ?? profileFor(workflow)
  const tokenizer = checkedTokenizer(options.tokenizer ?? model.tokenizer ?? createEstimateTokenizer())
  await checkQuestions(questions, { model, profile, workflow, tokenizer })
  return { ...options, workflow, profile, tokenizer, signal }
}

class Readings<State extends Json> {
  readonly #options: Settled<State>
  readonly #checkpoints: QuestionCheckpoints | undefined
  readonly #chunks: SharedChunks
  readonly #model: ChatModel
  readonly #document: TextDocument
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  readonly #failures: MemAgentError[] = []
  #failure: { readonly error: unknown } | undefined
  #limit: LimitError | undefined
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: Settled<State>) {
    const { questions, checkpoints, workflow, document } = options
    this.#options = options
    this.#signal = AbortSignal.any([options.signal, this.#ending.signal])
    const texts = questions.map(({ text }) => text)
    this.#checkpoints = checkpoints && new QuestionCheckpoints(checkedStore(checkpoints), texts)
    const goBack = workflow.run !== undefined && document.isReopenable
    this.#chunks = new SharedChunks({ readings: questions.length, goBack, signal: this.#signal })
    this.#model = sharedModel(options, () => this.#checkpoints?.spent)
    this.#document = sharedDocument(document)
  }

  /** @throws errors that concern all questions */
  async run(tell: (event: QuestionEvent) => Promise<void>): Promise<void> {
    const readings = this.#options.questions.map((_, question) => this.#read(question, tell))
    this.#running = Promise.all(readings)
    await this.#running
    if (this.#failure) throw this.#failure.error
    if (this.#limit) throw this.#limit
    const [first] = this.#failures
    if (first && this.#failures.length === this.#options.questions.length) throw first
  }

  /** Ends all readings, and waits for them. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  /** Never throws. */
  async #read(question: number, tell: (event: QuestionEvent) => Promise<void>): Promise<void> {
    const { questions, limits: _, ...options } = this.#options
    try {
      const reading = readDocument<State>({
        ...options,
        question: questions[question]!.text,
        document: this.#document,
        model: this.#model,
        checkpoints: this.#checkpoints?.of(question),
        together: this.#chunks.of(question),
        signal: this.#signal,
      })
      for await (const event of reading) await tell({ ...event, question })
    } catch (error) {
      if (this.#signal.aborted) this.#stop(this.#signal.reason)
      // The others may still finish what they have begun.
      else if (LimitError.isInstance(error)) this.#limit ??= error
      else if (MemAgentError.isInstance(error) && !this.#concernsAll(error)) {
        this.#failures.push(error)
        await tell({ type: 'question-failed', question, error })
      } else this.#stop(error)
    } finally {
      this.#chunks.leave(question)
    }
  }

  /** A fault in a setting, the text or the checkpoint, which would hit the next question, too. */
  #concernsAll(error: MemAgentError): boolean {
    const kinds = [ConfigurationError, CheckpointError, DocumentError]
    return this.#checkpoints?.failure !== undefined || kinds.some((kind) => kind.isInstance(error))
  }

  #stop(error: unknown): void {
    this.#failure ??= { error }
    this.#ending.abort(error)
  }
}

/** The model, with one limit on concurrent calls and one on spending; it is asked for its window once. */
function sharedModel<State extends Json>(
  { model, limits, profile, concurrency = defaultConcurrency }: Settled<State>,
  spentBefore: () => CallUsage | undefined,
): ChatModel {
  const limit = createConcurrencyLimit(concurrency)
  let limited: ChatModel | undefined
  let description: Promise<ModelDescription> | undefined
  return {
    name: model.name,
    tokenizer: model.tokenizer,
    profile: model.profile,
    ...(model.countPromptTokens && { countPromptTokens: (messages) => model.countPromptTokens!(messages) }),
    ...(model.identity && { identity: (signal) => model.identity!(signal) }),
    ...(model.weights && { weights: (signal) => model.weights!(signal) }),
    ...(model.describe && {
      describe: (signal) => {
        description ??= model.describe!(signal)
        return description
      },
    }),
    generate(messages, options) {
      // Earlier spending is known once the checkpoint is loaded.
      limited ??= limits
        ? withinLimits(model, limits, profile!.budget.window, spentBefore() ?? noCalls)
        : model
      const { generate } = limited
      return limit(() => generate.call(limited, messages, options), options.signal)
    },
  }
}

/** The same document, with its fingerprint taken only once. */
function sharedDocument(document: TextDocument): TextDocument {
  const fingerprintOf = document.fingerprint?.bind(document)
  if (!fingerprintOf) return document
  let fingerprint: Promise<string> | undefined
  return {
    ...document,
    open: (signal) => document.open(signal),
    fingerprint: (signal) => {
      fingerprint ??= fingerprintOf(signal)
      return fingerprint
    },
  }
}
