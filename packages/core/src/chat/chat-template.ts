/**
 * A model's chat template: renders messages to the exact prompt, for exact budgets and for engines that know only
 * tokens. The template is Jinja, from `tokenizer_config.json` or `chat_template.jinja` of the model's folder.
 */
import { Template } from '@huggingface/jinja'
import { TemplateError } from '../errors.ts'
import type { Message } from './chat.ts'

export interface ChatTemplateOptions {
  /** `tokenizer_config.json`; its `chat_template` is used unless `template` is given. */
  readonly tokenizerConfig?: Readonly<Record<string, unknown>> | undefined
  /** The template's text. */
  readonly template?: string | undefined
  /** Variables that the template may use besides the usual ones. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /** For templates that print the date. @default () => new Date() */
  readonly now?: (() => Date) | undefined
}

export class ChatTemplate {
  readonly #template: Template
  readonly #variables: Readonly<Record<string, unknown>>

  /** @throws TemplateError when there is no template, or it cannot be parsed */
  constructor(options: ChatTemplateOptions) {
    const config = options.tokenizerConfig ?? {}
    const text = options.template ?? templateOf(config)
    if (text === undefined) {
      throw new TemplateError({ code: 'template/missing', message: 'The model has no chat template.' })
    }
    try {
      this.#template = new Template(text)
    } catch (cause) {
      throw new TemplateError({
        code: 'template/syntax',
        message: `The chat template cannot be parsed: ${(cause as Error).message}`,
        cause,
      })
    }
    const now = options.now ?? (() => new Date())
    this.#variables = {
      ...Object.fromEntries(
        ['bos_token', 'eos_token', 'pad_token', 'unk_token'].map((name) => [name, tokenText(config[name])]),
      ),
      strftime_now: (format: string) => formatDate(now(), format),
      raise_exception: (message: string) => {
        throw new TemplateError({
          code: 'template/refused',
          message: `The chat template refuses these messages: ${message}`,
        })
      },
      ...options.variables,
    }
  }

  /** @throws TemplateError when the template refuses the messages */
  render(messages: readonly Message[], options: { readonly addGenerationPrompt?: boolean } = {}): string {
    try {
      return this.#template.render({
        ...this.#variables,
        messages: messages.map((message) => ({ ...message })),
        add_generation_prompt: options.addGenerationPrompt ?? true,
      })
    } catch (cause) {
      if (TemplateError.isInstance(cause)) throw cause
      throw new TemplateError({
        code: 'template/failed',
        message: `The chat template failed: ${(cause as Error).message}`,
        cause,
      })
    }
  }
}

/** A string, or a list of named templates of which `default` counts. */
function templateOf(config: Readonly<Record<string, unknown>>): string | undefined {
  const { chat_template: template } = config
  if (typeof template === 'string') return template
  if (!Array.isArray(template)) return undefined
  const named = template as { name?: string; template?: string }[]
  return (named.find(({ name }) => name === 'default') ?? named[0])?.template
}

/** A token is written as its text or as an object with its text. */
function tokenText(token: unknown): string {
  if (typeof token === 'string') return token
  const { content } = (token ?? {}) as { content?: unknown }
  return typeof content === 'string' ? content : ''
}

/** The letters that templates in use ask for. */
function formatDate(date: Date, format: string): string {
  const part = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', options).format(date)
  const values: Record<string, string> = {
    d: String(date.getDate()).padStart(2, '0'),
    m: String(date.getMonth() + 1).padStart(2, '0'),
    Y: String(date.getFullYear()),
    b: part({ month: 'short' }),
    B: part({ month: 'long' }),
    A: part({ weekday: 'long' }),
    a: part({ weekday: 'short' }),
    H: String(date.getHours()).padStart(2, '0'),
    M: String(date.getMinutes()).padStart(2, '0'),
    S: String(date.getSeconds()).padStart(2, '0'),
  }
  return format.replace(/%(\w)/g, (whole, letter: string) => values[letter] ?? whole)
}
