/** Methods by name, each loaded on demand. Every workflow is a method under its own name. */
import { ConfigurationError, isModulePath, workflowNames } from '@memagent/core'
import { loadWorkflow } from '@memagent/core/node'
import type { Method } from '../method.ts'
import type { MethodFactory, MethodSettings } from './factory.ts'
import { parseOptions } from './options.ts'

const baselines = {
  whole: async () => (await import('./whole.ts')).whole,
  truncate: async () => (await import('./truncate.ts')).truncate,
  bm25: async () => (await import('./bm25.ts')).bm25,
  embeddings: async () => (await import('./embeddings.ts')).embeddings,
  'map-reduce': async () => (await import('./map-reduce.ts')).mapReduce,
  refine: async () => (await import('./refine.ts')).refine,
} satisfies Record<string, () => Promise<MethodFactory>>

export const methodNames: readonly string[] = [...workflowNames, ...Object.keys(baselines)]

export interface MethodSpec {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Parses `name` or `name:option=value,option=value`; the name may be the path of a workflow. `createMethod` checks names and
 * options.
 * @throws ConfigurationError if the specification has another form
 */
export function parseMethodSpec(spec: string): MethodSpec {
  const fail = (problem: string): never => {
    throw new ConfigurationError({
      code: 'method/spec',
      message: `"${spec}" names no method: ${problem}.`,
      hint: 'Write a name, or a name with options: bm25:k=8,passage=256',
      details: { spec },
    })
  }
  const [, name = '', list] = /^\s*((?:file:|[a-z]:(?=[\\/]))?[^:]*?)\s*(?::(.*))?$/is.exec(spec) ?? []
  if (name === '') fail('there is no name')
  if (list === undefined) return { name, options: {} }
  const options: Record<string, string> = {}
  for (const part of list.split(',')) {
    // White space belongs to the value: prefixes end with some.
    const [, option = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(part) ?? []
    if (option === '' || value === '') fail(`"${part}" is not of the form option=value`)
    if (Object.hasOwn(options, option)) fail(`${option} is given twice`)
    options[option] = value
  }
  return { name, options }
}

/** Looks up a method's factory by name. @throws ConfigurationError that lists the known names */
export async function methodFactory(name: string): Promise<MethodFactory> {
  if (Object.hasOwn(baselines, name)) return baselines[name as keyof typeof baselines]()
  if (workflowNames.includes(name) || isModulePath(name)) {
    const { workflowMethod } = await import('./workflow.ts')
    return workflowMethod(await loadWorkflow(name))
  }
  throw new ConfigurationError({
    code: 'method/unknown',
    message: `There is no method named ${name}.`,
    hint: `Known: ${methodNames.join(', ')}; and workflows by path, such as ./mine.ts.`,
    details: { name, known: methodNames },
  })
}

/**
 * Creates a method from a specification such as `bm25:k=8`, or from a name with options. Its name lists the given options in
 * the method's own order, so equal settings give equal names.
 * @throws ConfigurationError for unknown names, unknown options and wrong values, listing the known ones
 */
export async function createMethod(
  spec: string | MethodSpec,
  settings: MethodSettings = {},
): Promise<Method> {
  const { factory, name, options } = await namedMethod(spec)
  return factory.create(name, options, settings)
}

/** The name that `createMethod` would give the method. @throws as `createMethod` */
export const methodNameOf = async (spec: string | MethodSpec): Promise<string> =>
  (await namedMethod(spec)).name

async function namedMethod(spec: string | MethodSpec) {
  const { name: wanted, options: given } = typeof spec === 'string' ? parseMethodSpec(spec) : spec
  const factory = await methodFactory(wanted)
  const options = parseOptions(wanted, factory.options, given)
  const named = Object.keys(factory.options.shape).filter(
    (option) => given[option] !== undefined && !factory.unnamed?.includes(option),
  )
  const shown = (option: string) => {
    const value = String(options[option])
    return factory.paths?.includes(option) ? value.split(/[\\/]/).at(-1) : value
  }
  const list = named.map((option) => `${option}=${shown(option)}`).join(',')
  const { ownName = wanted } = factory
  return { factory, options, name: list === '' ? ownName : `${ownName}:${list}` }
}
