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
    this.#variables = {
      ...Object.fromEntries(
        ['bos_token', 'eos_token', 'pad_token', 'unk_token'].map((name) => [name, tokenText(config[name])]),
      ),
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
      throw new TemplateError({
        code: 'template/refused',
        message: `The chat template refuses these messages: ${(cause as Error).message}`,
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
