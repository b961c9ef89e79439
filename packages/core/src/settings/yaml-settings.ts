/** Settings in YAML files: errors are reported with their line. */
import { readFile } from 'node:fs/promises'
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { z } from 'zod'
import { ConfigurationError } from '../errors.ts'
import { whyUnreadable } from '../files/why-unreadable.ts'
import { checkSettings } from './check-settings.ts'

export interface SettingsFile {
  /** Its path, or another name for it. */
  readonly name: string
  /** Such as `configuration of a benchmark`. */
  readonly what: string
  /** First part of error codes, such as `bench`. */
  readonly area: string
}

/** A setting given besides the file, which replaces the file's. */
export interface SettingOverride {
  readonly path: readonly (string | number)[]
  readonly value: unknown
  /** Its name in messages, since it has no line, such as `--set seed`. */
  readonly name: string
}

/** @throws ConfigurationError if the file cannot be read or is not UTF-8 */
export async function readSettingsFile({ name, what, area }: SettingsFile): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(name))
  } catch (cause) {
    throw new ConfigurationError({
      code: `${area}/no-config`,
      message: `Cannot read the ${what} ${name}: ${whyUnreadable(cause)}.`,
      details: { file: name },
      cause,
    })
  }
}

/**
 * @throws ConfigurationError if it is not YAML, if an override does not fit it, and naming every wrong setting, with its line or
 * override, its value and what it takes
 */
export function parseYamlSettings<Schema extends z.ZodType>(
  schema: Schema,
  yaml: string,
  file: SettingsFile,
  overrides: readonly SettingOverride[] = [],
): z.output<Schema> {
  const lines = new LineCounter()
  // Otherwise its warnings would be printed to the terminal.
  const document = parseDocument(yaml, { lineCounter: lines, logLevel: 'error' })
  const invalid = (reason: string, cause?: unknown) =>
    new ConfigurationError({
      code: `${file.area}/config-syntax`,
      message: `${file.name} is not valid YAML: ${reason}`,
      details: { file: file.name },
      cause,
    })
  const [syntax] = document.errors
  if (syntax !== undefined) throw invalid(syntax.message, syntax)
  // Overrides have no place in the text, and leave the places of the rest unchanged.
  const overridden = overrides.map((override) => ({
    ...override,
    path: setIn(document, override, file),
  }))
  const whereOf = (path: readonly PropertyKey[]): string => {
    const override = overridden.findLast((one) => one.path.every((key, i) => String(key) === String(path[i])))
    if (override) return `${override.name}: `
    const offset = offsetOf(document, path)
    return offset === undefined ? '' : `line ${lines.linePos(offset).line}: `
  }
  let given: unknown
  try {
    // An empty file sets nothing.
    given = document.toJS() ?? {}
    JSON.stringify(given)
  } catch (cause) {
    throw invalid(cause instanceof ReferenceError ? cause.message : 'a list or a record holds itself.', cause)
  }
  return checkSettingsOf(schema, given, file, whereOf)
}

/** @throws ConfigurationError naming every wrong setting, its value and what it takes */
export function checkSettingsOf<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  file: SettingsFile,
  whereOf: (path: readonly PropertyKey[]) => string = () => '',
): z.output<Schema> {
  const { settings, problems } = checkSettings(schema, given)
  if (problems === undefined) return settings
  const told = problems.map(({ path, message }) => `${whereOf(path)}${message}`)
  throw new ConfigurationError({
    code: `${file.area}/config`,
    message: `${file.name} is not a valid ${file.what}:\n  ${told.join('\n  ')}`,
    details: { file: file.name, problems: told },
  })
}

/** @returns the path of what no longer comes from the file @throws ConfigurationError if the file has no such place */
function setIn(document: Document, { path, value, name }: SettingOverride, file: SettingsFile) {
  try {
    const missing = path.findIndex((_, i) => !document.hasIn(path.slice(0, i + 1)))
    document.setIn(path, document.createNode(value))
    return missing < 0 ? path : path.slice(0, missing + 1)
  } catch (cause) {
    throw new ConfigurationError({
      code: `${file.area}/bad-setting`,
      message: `${name} does not fit ${file.name}: ${(cause as Error).message}`,
      details: { file: file.name },
      cause,
    })
  }
}

/** Where a setting begins in the text; for a missing one, where the object begins that should contain it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  let node = document.contents as Node | null | undefined
  let offset = node?.range?.[0]
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      offset = (pair?.key as Node | undefined)?.range?.[0] ?? offset
      node = pair?.value as Node | null | undefined
    } else if (isSeq(node)) {
      node = node.items[Number(key)] as Node | undefined
      offset = node?.range?.[0] ?? offset
    } else {
      break
    }
  }
  return offset
}
