/** Converts the schemas that check requests into those of the document. */
import { z } from 'zod'

type JsonSchema = Record<string, unknown>

/** JSON Schemas; those with a name (`.meta({ id })`) are defined once. */
export class DocumentSchemas {
  readonly named: Record<string, JsonSchema> = {}

  /** @param direction `input` for requests */
  of(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
    const json = z.toJSONSchema(schema, { io: direction, unrepresentable: 'any', override })
    const { $schema: _, $defs = {}, ...root } = relocated(json as JsonSchema)
    Object.assign(this.named, $defs)
    return root
  }
}

const relocated = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'))

/** Drops JavaScript's bounds of whole numbers, which tell nobody anything, and allows a text in place of a list (`textOr`). */
function override({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  delete jsonSchema.id
  if (!jsonSchema.orText) return
  const { orText: _, ...list } = jsonSchema
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
  jsonSchema.anyOf = [{ type: 'string' }, list]
}
