/**
 * Errors of memagent: one class per kind, each with a stable code, the place where it happened, and what to do.
 * Every instance carries the names of its classes under a registered symbol, so that two loaded copies of a package
 * recognize each other's errors.
 */
const classNames = Symbol.for('memagent.error.classes')

export interface MemAgentErrorOptions {
  /** Stable and kebab-case, for programs, such as `chat/overlong-prompt`. */
  readonly code: string
  readonly message: string
  /** What the user can do about it. */
  readonly hint?: string | undefined
  readonly cause?: unknown
  /** Where it happened: file, step, URL, numbers. Must be JSON-serializable. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** @default false */
  readonly isRetryable?: boolean | undefined
}

export class MemAgentError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly isRetryable: boolean

  constructor(options: MemAgentErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = options.code
    this.hint = options.hint
    this.details = options.details ?? {}
    this.isRetryable = options.isRetryable ?? false
    Object.defineProperty(this, classNames, { value: namesOfClasses(new.target), enumerable: false })
  }

  /** True for errors of this class and its subclasses, including those of another copy of the package. */
  static isInstance<Class extends abstract new (...args: never) => MemAgentError>(
    this: Class,
    value: unknown,
  ): value is InstanceType<Class> {
    if (typeof value !== 'object' || value === null) return false
    const names = (value as Record<symbol, unknown>)[classNames]
    // biome-ignore lint/complexity/noThisInStatic: the class it is called on, which may be a subclass.
    return Array.isArray(names) && names.includes(this.name)
  }
}

/** Names of a class and its superclasses, up to `MemAgentError`. */
function namesOfClasses(start: { readonly name: string; readonly prototype: object }): readonly string[] {
  const names: string[] = []
  let prototype: object | null = start.prototype
  while (prototype !== null && prototype !== Error.prototype) {
    names.push(prototype.constructor.name)
    prototype = Object.getPrototypeOf(prototype)
  }
  return names
}

/** A setting is missing, unknown or contradicts another one. */
export class ConfigurationError extends MemAgentError {}
/** A document cannot be opened, decoded or read to its end. */
export class DocumentError extends MemAgentError {}
/** A conversation has nothing to read, or no question that can be told from its text. */
export class ConversationError extends MemAgentError {}
/** A tokenizer file is broken, or a text cannot be tokenized as asked. */
export class TokenizerError extends MemAgentError {}
/** A chat template is broken or rejects the messages. */
export class TemplateError extends MemAgentError {}
/** A chat model could not answer. */
export class ChatError extends MemAgentError {}
/** The prompt does not fit the model's window; `details` carries the numbers. */
export class OverlongPromptError extends ChatError {}
/** The server cut the prompt without saying so. */
export class TruncatedPromptError extends ChatError {}
/** The server limits the rate of requests; `details.retryAfterMs` is the wait it asked for, if any. */
export class RateLimitedError extends ChatError {}
/** No (complete) reply in time. */
export class ChatTimeoutError extends ChatError {}
/**
 * The final response of a reading contains no answer; the memory is saved, and only the final call must be repeated.
 * `details.mostAnswerTokens` is the limit of the caller that the answer did not fit, if that was why.
 */
export class NoAnswerError extends ChatError {}
/** A workflow broke its contract or was given a state that is not its own. */
export class WorkflowError extends MemAgentError {}
/** A checkpoint is damaged or belongs to another run. */
export class CheckpointError extends MemAgentError {}
/** A task cannot make the requested sample. */
export class TaskError extends MemAgentError {}
/** A reading reached a limit set by its user; with a higher one it can continue from its checkpoint. */
export class LimitError extends MemAgentError {}
