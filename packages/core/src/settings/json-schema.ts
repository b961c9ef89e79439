/** JSON Schemas of settings, for editors and for checkers in other languages. */
import type { z } from 'zod'
import { describeSchema } from './allowed.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Metadata for messages and tables, which JSON Schema does not have. */
const ownWords = new Set(['takes', 'defaultIs', 'codeOnly', 'shorthand', 'id'])

/**
 * The schema of what may be written in a file: fields with defaults are optional, and what can only be given in code is left out.
 * Metadata `shorthand` describes a text that may replace an object; `written` is the whole schema, if zod knows less.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return written(describeSchema(schema))
}

function written(node: unknown): JsonSchema {
  const { shorthand, written: instead, ...rest } = withoutCodeOnly(node as JsonSchema)
  if (instead !== undefined) return { description: rest.description, ...(instead as JsonSchema) }
  const plain = Object.fromEntries(
    Object.entries(rest)
      // Every integer is a safe one, so its bounds are omitted.
      .filter(([key, value]) => !ownWords.has(key) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER)
      .map(([key, value]) => [key, part(key, value)]),
  )
  if (shorthand === undefined) return plain
  const { default: value, description, ...object } = plain
  const told = { ...(value === undefined ? {} : { default: value }), ...(description ? { description } : {}) }
  return { ...told, anyOf: [{ type: 'string', description: shorthand }, object] }
}

function withoutCodeOnly(node: JsonSchema): JsonSchema {
  const { properties, required } = node as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly required?: readonly string[]
  }
  if (properties === undefined) return node
  const kept = Object.entries(properties).filter(([, { codeOnly }]) => !codeOnly)
  const names = new Set(kept.map(([name]) => name))
  const { required: _, ...rest } = node
  const stillRequired = required?.filter((name) => names.has(name)) ?? []
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    ...(stillRequired.length > 0 && { required: stillRequired }),
  }
}

/** Rewrites values that contain schemas; keeps others. */
function part(key: string, value: unknown): unknown {
  if (key === 'properties') {
    const fields = Object.entries(value as Record<string, JsonSchema>)
    return Object.fromEntries(fields.map(([name, field]) => [name, written(field)]))
  }
  if (['anyOf', 'oneOf', 'allOf'].includes(key)) return (value as unknown[]).map(written)
  return ['items', 'additionalProperties', 'propertyNames', 'not'].includes(key) && typeof value === 'object'
    ? written(value)
    : value
}
