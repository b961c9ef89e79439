/**
 * Tables that samples are drawn from: YAML files in `packages/tasks/data`. Draws depend on a file's order, so append new
 * records.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseYamlSettings } from '@memagent/core/settings'
import { parse } from 'yaml'
import { z } from 'zod'

/** Has the same relative path from `src/data` and `dist/data`. */
const folder = new URL('../../data/', import.meta.url)

/** Calls the function on first use, and caches its result. */
export function lazy<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}

/**
 * Call inside {@link lazy}: code that draws no sample should not wait for tables.
 * @param path inside `packages/tasks/data`: `facts/people.yaml`
 * @throws ConfigurationError naming file, line, record and field of every error
 */
export function loadData<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  const url = new URL(path, folder)
  return parseData(readFileSync(url, 'utf8'), schema, fileURLToPath(url))
}

/**
 * @param name of the file, for errors
 * @throws ConfigurationError as `loadData` does
 */
export function parseData<Schema extends z.ZodType>(
  yaml: string,
  schema: Schema,
  name: string,
): z.output<Schema> {
  const result = checkQuickly(yaml, schema)
  // Tracking lines takes three times as long, so it is done only for errors.
  return result?.success
    ? result.data
    : parseYamlSettings(schema, yaml, { name, what: 'table of data', area: 'task' })
}

/** @returns undefined when it is not YAML */
function checkQuickly<Schema extends z.ZodType>(yaml: string, schema: Schema) {
  let read: unknown
  try {
    read = parse(yaml)
  } catch {
    return undefined
  }
  return schema.safeParse(read)
}

const itemsOf = (text: string, separator: RegExp): readonly string[] =>
  text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** `statements: |` with a statement per line. */
export const lines = z.string().transform((text) => itemsOf(text, /\n/))

/** `colours: |` with words separated by commas or line ends. */
export const words = z.string().transform((text) => itemsOf(text, /[,\n]/))
