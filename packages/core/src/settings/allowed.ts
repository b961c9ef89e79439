/** Says in words what a schema allows, from its JSON Schema. */
import { z } from 'zod'

/** The parts of a JSON Schema that are used here, as zod writes it. */
export interface Described {
  /** Text for messages about what it takes, if its parts would not say it well: `.meta({ takes: 'the path of a file' })`. */
  readonly takes?: string
  readonly description?: string
  readonly default?: unknown
  /** The default in words, if the schema has none or a long one. */
  readonly defaultIs?: string
  /** A text may be given instead of the object; this describes it. */
  readonly shorthand?: string
  /** Cannot be written in a file. */
  readonly codeOnly?: boolean
  readonly required?: readonly string[]
  /** The value may be a secret and is not shown. */
  readonly writeOnly?: boolean
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Described[]
  readonly oneOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: Described | boolean
  readonly items?: Described
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
}

export const describeSchema = (schema: z.ZodType): Described =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-7',
    // Zod omits the default of a transformed value; ours are all in the form used in files.
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      if (def.type === 'default') jsonSchema.default = def.defaultValue as typeof jsonSchema.default
    },
  }) as Described

/**
 * The schemas at a path: several if any of them is accepted.
 * @param value the given value; it selects among objects that differ in a field with a fixed value
 */
export function schemasAt(
  root: Described,
  path: readonly PropertyKey[],
  value: unknown,
): readonly Described[] {
  let [schemas, here] = [alternatives(root, value), value]
  for (const key of path) {
    here = (here as Record<PropertyKey, unknown> | null | undefined)?.[key]
    schemas = schemas.flatMap((schema) => {
      const child = childOf(schema, key)
      return child ? alternatives(child, here) : []
    })
  }
  return schemas
}

/** Names of the settings that these schemas take. */
export const namesIn = (schemas: readonly Described[]): readonly string[] => [
  ...new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {}))),
]

/** `a whole number of at least 0 or "by-length"`; undefined if the schema does not say. */
export function allowedText(schemas: readonly Described[]): string | undefined {
  const texts = [...new Set(schemas.map(oneText))]
  return texts.length === 0 || texts.includes(undefined) ? undefined : orList(texts as string[])
}

const orList = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`

function childOf(schema: Described, key: PropertyKey): Described | undefined {
  if (typeof key === 'number') return schema.items
  const own = schema.properties?.[String(key)]
  return own ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
}

function alternatives(schema: Described, value: unknown): readonly Described[] {
  const list = schema.anyOf ?? schema.oneOf
  if (!list || schema.takes !== undefined) return [schema]
  const chosen = list.filter(({ properties }) =>
    Object.entries(properties ?? {}).some(
      ([name, field]) =>
        field.const !== undefined && (value as Record<string, unknown> | null)?.[name] === field.const,
    ),
  )
  return (chosen.length > 0 ? chosen : list).flatMap((each) => alternatives(each, value))
}

function oneText(schema: Described): string | undefined {
  if (schema.takes !== undefined) return schema.takes
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return orList(schema.enum.map((value) => JSON.stringify(value)))
  const list = schema.anyOf ?? schema.oneOf
  if (list) return allowedText(list)
  if (Array.isArray(schema.type)) return allowedText(schema.type.map((type) => ({ ...schema, type })))
  switch (schema.type) {
    case 'integer':
      return `a whole number${rangeText(schema)}`
    case 'number':
      return `a number${rangeText(schema)}`
    case 'string':
      return schema.minLength ? 'a text that is not empty' : 'a text'
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array': {
      const items = schema.items && oneText(schema.items)
      return `${schema.minItems ? 'a list' : 'a list, which may be empty,'}${items ? ` of ${several(items)}` : ''}`
    }
    case 'object':
      if (schema.properties)
        return `${schema.shorthand ? 'a text or ' : ''}the fields ${namesIn([schema]).join(', ')}${typeof schema.additionalProperties === 'object' ? ', and others by name' : ''}`
      return typeof schema.additionalProperties === 'object' && oneText(schema.additionalProperties)
        ? `values by name, each ${oneText(schema.additionalProperties)}`
        : 'settings by name'
    default:
      return undefined
  }
}

const several = (one: string): string =>
  one.replace(/^a (whole number|number|text|length)\b/, '$1s').replace(/^texts that is /, 'texts that are ')

function rangeText(schema: Described): string {
  const isWhole = schema.type === 'integer'
  const above = isWhole && schema.exclusiveMinimum !== undefined ? undefined : schema.exclusiveMinimum
  const least =
    isWhole && schema.exclusiveMinimum !== undefined ? schema.exclusiveMinimum + 1 : schema.minimum
  const most =
    schema.maximum === undefined || schema.maximum >= Number.MAX_SAFE_INTEGER ? undefined : schema.maximum
  const below = schema.exclusiveMaximum
  const from = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least
  const lower =
    above === undefined ? (from === undefined ? undefined : `at least ${from}`) : `more than ${above}`
  const upper =
    most === undefined ? (below === undefined ? undefined : `less than ${below}`) : `at most ${most}`
  const range =
    from !== undefined && most !== undefined
      ? ` from ${from} to ${most}`
      : [lower, upper].some((end) => end !== undefined)
        ? ` of ${[lower, upper].filter((end) => end !== undefined).join(' and ')}`
        : ''
  return schema.multipleOf === undefined || isWhole === (schema.multipleOf === 1)
    ? range
    : `${range}, a multiple of ${schema.multipleOf}`
}
