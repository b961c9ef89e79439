/**
 * Errors of memagent: one class per kind, each with a stable code, where it happened and what to do.
 * Instances are recognised by a marker symbol, so that two loaded copies of a package still agree.
 */
const marker = Symbol.for('memagent.error')

export interface ErrorOptions {
  /** Stable and kebab-case, for machines: `chat/overlong-prompt`. */
  readonly code: string
  readonly message: string
  /** What the user can do about it. */
  readonly hint?: string | undefined
  readonly cause?: unknown
  /** Where it happened: file, step, URL, numbers. Must be JSON-serialisable. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** @default false */
  readonly isRetryable?: boolean | undefined
}

export class MemAgentError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly isRetryable: boolean

  constructor(options: ErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = options.code
    this.hint = options.hint
    this.details = options.details ?? {}
    this.isRetryable = options.isRetryable ?? false
    Object.defineProperty(this, marker, { value: true, enumerable: false })
  }

  /** True for any error of memagent, also from another copy of the package. */
  static isInstance(value: unknown): value is MemAgentError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true
  }
}

/** A setting is missing, unknown or contradicts another one. */
export class ConfigurationError extends MemAgentError {}
/** A document cannot be opened, decoded or read on. */
export class DocumentError extends MemAgentError {}
/** A tokenizer file is broken, or a text cannot be tokenized as asked. */
export class TokenizerError extends MemAgentError {}
/** A chat template is broken or refuses the messages. */
export class TemplateError extends MemAgentError {}
/** A chat model could not answer. */
export class ChatError extends MemAgentError {}
/** The prompt does not fit the model's window; `details` carries the numbers. */
export class OverlongPromptError extends ChatError {}
/** The server cut the prompt without saying so. */
export class TruncatedPromptError extends ChatError {}
/** The server asks to slow down; `details.retryAfterMs` when it said for how long. */
export class RateLimitedError extends ChatError {}
/** No (complete) answer in time. */
export class ChatTimeoutError extends ChatError {}
/** A workflow broke its contract or was given a state that is not its own. */
export class WorkflowError extends MemAgentError {}
/** A checkpoint is damaged or belongs to another run. */
export class CheckpointError extends MemAgentError {}
/** A task cannot make the sample asked for. */
export class TaskError extends MemAgentError {}
