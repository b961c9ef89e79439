/**
 * A model's chat template: renders messages to the exact prompt, for exact token budgets and for engines that take only
 * tokens. The template is Jinja, from `tokenizer_config.json` or `chat_template.jinja` in the model's folder.
 */
import { Template } from '@huggingface/jinja'
import { TemplateError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Message } from './message.ts'

export interface ChatTemplateOptions {
  /** `tokenizer_config.json`; its `chat_template` is used unless `template` is given. */
  readonly tokenizerConfig?: Readonly<Record<string, unknown>> | undefined
  readonly template?: string | undefined
  /** Variables for the template besides the usual ones. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /** For templates that print the date. @default the clock */
  readonly now?: (() => Date) | undefined
}

export interface RenderOptions {
  /** Ends the prompt with the header of the assistant's turn. @default true */
  readonly addGenerationPrompt?: boolean | undefined
}

const ourClock = 'memagent_strftime_now'

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
      // The library's own `strftime_now` prints in the machine's language, and cannot be replaced by a second function of that
      // name.
      this.#template.parsed.body.unshift(...new Template(`{% set strftime_now = ${ourClock} %}`).parsed.body)
    } catch (cause) {
      throw new TemplateError({
        code: 'template/syntax',
        message: `The chat template cannot be parsed: ${(cause as Error).message}`,
        cause,
      })
    }
    this.#variables = {
      ...Object.fromEntries(
        ['bos_token', 'eos_token', 'pad_token', 'unk_token'].map((name) => [name, tokenText(config[name])]),
      ),
      [ourClock]: (format: string) => formatTime(options.now?.() ?? new Date(), format),
      ...options.variables,
    }
  }

  /** @throws TemplateError when the template rejects the messages */
  render(messages: readonly Message[], options: RenderOptions = {}): string {
    try {
      return this.#template.render({
        ...this.#variables,
        messages: messages.map((message) => ({ ...message })),
        add_generation_prompt: options.addGenerationPrompt ?? true,
      })
    } catch (cause) {
      throw new TemplateError({
        code: 'template/refused',
        message: `The chat template refuses these messages: ${(cause as Error).message}`,
        cause,
      })
    }
  }

  /**
   * The prompt's token ids, exactly as the model sees them: the template writes all control tokens itself.
   * Contents must be neutralized: a control token in them would count as one.
   * @throws TemplateError when the template rejects the messages, or the tokenizer can only count
   */
  tokenize(messages: readonly Message[], tokenizer: Tokenizer, options: RenderOptions = {}): number[] {
    if (!tokenizer.encode) {
      throw new TemplateError({
        code: 'template/no-token-ids',
        message: `A prompt cannot be tokenized with ${tokenizer.name}: it only counts tokens.`,
        hint: "Use the model's tokenizer.json.",
      })
    }
    return tokenizer.encode(this.render(messages, options), { specialTokens: true })
  }
}

/** A string, or a list of named templates, of which `default` is used. */
function templateOf(config: Readonly<Record<string, unknown>>): string | undefined {
  const { chat_template: template } = config
  if (typeof template === 'string') return template
  if (!Array.isArray(template)) return undefined
  const named = template as readonly ({ name?: unknown; template?: unknown } | null)[]
  const text = (named.find((one) => one?.name === 'default') ?? named[0])?.template
  return typeof text === 'string' ? text : undefined
}

/** A token is given as a text or as an object that contains it. */
function tokenText(token: unknown): string {
  if (typeof token === 'string') return token
  const { content } = (token ?? {}) as { content?: unknown }
  return typeof content === 'string' ? content : ''
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** Python's strftime as far as templates use it, in English and local time; unknown directives are kept unchanged. */
function formatTime(date: Date, format: string): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const month = months[date.getMonth()]!
  const parts: Readonly<Record<string, string>> = {
    Y: String(date.getFullYear()),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    b: month.slice(0, 3),
    B: month,
    H: two(date.getHours()),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    '%': '%',
  }
  return format.replace(/%([YmdbBHMS%])/g, (_, sign: string) => parts[sign]!)
}
