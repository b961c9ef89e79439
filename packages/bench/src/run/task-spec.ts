/** Tasks as written on a command line. */
import { ConfigurationError } from '@memagent/core'
import { parse } from 'yaml'

export interface TaskSpec {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Parses `name` or `name:option=value,option=value`; values as in YAML (`2`, `true`, `forward`). Names and options are
 * checked when the task is created.
 * @throws ConfigurationError for any other form
 */
export function parseTaskSpec(spec: string): TaskSpec {
  const [, name = '', list] = /^([^:]*)(?::(.*))?$/s.exec(spec.trim()) ?? []
  const pairs = list?.split(',').map((part) => /^\s*([^=\s]+)=(.+)$/s.exec(part)) ?? []
  if (name === '' || pairs.includes(null)) {
    throw new ConfigurationError({
      code: 'bench/task-spec',
      message: `"${spec}" names no task.`,
      hint: 'Write a name, or a name with options: multi-hop:hops=2,distractors=6',
      details: { spec },
    })
  }
  return { name, options: Object.fromEntries(pairs.map((pair) => [pair![1]!, scalarOf(pair![2]!)])) }
}

/** Splits `a,b:x=1,y=2,c` into `a`, `b:x=1,y=2` and `c`: an option without a task name before it belongs to the previous part. */
export function splitSpecs(list: string): string[] {
  const specs: string[] = []
  for (const part of list.split(',')) {
    const isOption = /^\s*[\w-]+=/.test(part)
    if (isOption && specs.length > 0) specs.push(`${specs.pop()},${part}`)
    else specs.push(part.trim())
  }
  return specs.filter((spec) => spec !== '')
}

/** `name:option=value,...`: tells unnamed tasks of one kind apart. Shows only the last part of a path. */
export function showTaskSpec({ name, options }: TaskSpec): string {
  const list = Object.entries(options).map(([option, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${option}=${text.split('/').at(-1)}`
  })
  return list.length === 0 ? name : `${name}:${list.join(',')}`
}

function scalarOf(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return text
  }
}
