/** Chat models of the user's own modules. */
import { ConfigurationError, MemAgentError } from '../errors.ts'
import { messageOf } from '../message-of.ts'
import type { ChatModel } from './chat.ts'

/** @throws ConfigurationError for a relative path; what the module throws */
export async function importAbsolute(path: string): Promise<unknown> {
  if (!path.startsWith('.')) return import(path)
  throw new ConfigurationError({
    code: 'chat/module',
    message: `The module ${path} cannot be loaded. Relative to what? Give an absolute path or a URL.`,
  })
}

/**
 * The function of a module that creates its model. Its errors name the module, and what it gives is checked.
 * @param load imports a module by path
 * @throws ConfigurationError if the module cannot be loaded or has no such function
 */
export async function factoryOf(
  path: string,
  load: (path: string) => Promise<unknown>,
): Promise<(target: string, settings: unknown) => Promise<ChatModel>> {
  let module: { createChatModel?: unknown; default?: unknown }
  try {
    module = (await load(path)) as typeof module
  } catch (cause) {
    if (MemAgentError.isInstance(cause)) throw cause
    throw bad(`The module ${path} cannot be loaded: ${messageOf(cause)}`, cause)
  }
  const factory = module.createChatModel ?? module.default
  if (typeof factory !== 'function') {
    throw bad(`The module ${path} exports neither createChatModel nor a default function`)
  }
  return async (target, settings) => {
    let model: unknown
    try {
      model = await factory(target, settings)
    } catch (cause) {
      if (MemAgentError.isInstance(cause)) throw cause
      throw bad(
        `The module ${path} cannot create its model: ${messageOf(cause)}`,
        cause,
        'chat/module-failed',
      )
    }
    const problems = problemsOfModel(model)
    if (problems.length === 0) return model as ChatModel
    throw bad(`The module ${path} gives no chat model:\n  ${problems.join('\n  ')}`)
  }
}

const bad = (message: string, cause?: unknown, code = 'chat/module') =>
  new ConfigurationError({
    code,
    message,
    hint: 'docs/command-line.md says what it takes; examples/own-model.ts is a whole one.',
    cause,
  })

const optional = ['describe', 'countPromptTokens', 'identity', 'weights', 'close'] as const

function problemsOfModel(model: unknown): string[] {
  if (typeof model !== 'object' || model === null) return ['an object is wanted']
  const given: { readonly [field in keyof ChatModel]?: unknown } = model
  const problems: string[] = []
  if (typeof given.name !== 'string' || given.name === '')
    problems.push('name: a text that is not empty is wanted')
  if (typeof given.generate !== 'function') {
    problems.push('generate: a function is wanted: generate(messages, options)')
  }
  const count = (given.tokenizer as { readonly count?: unknown } | null | undefined)?.count
  if (given.tokenizer !== undefined && typeof count !== 'function') {
    problems.push('tokenizer: an object with count(text) is wanted, or nothing')
  }
  for (const field of optional) {
    if (given[field] !== undefined && typeof given[field] !== 'function') {
      problems.push(`${field}: a function is wanted, or nothing`)
    }
  }
  return problems
}
