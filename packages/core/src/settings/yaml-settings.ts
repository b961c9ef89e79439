/** Settings in YAML files: errors are reported with their line. */
import { readFile } from 'node:fs/promises'
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { z } from 'zod'
import { ConfigurationError } from '../errors.ts'
import { whyUnreadable } from '../files/why-unreadable.ts'
import { checkSettings } from './check-settings.ts'

/** What a file of settings is for. */
export interface SettingsFile {
  /** Its path, or what else to call it. */
  readonly name: string
  /** `configuration of a benchmark` */
  readonly what: string
  /** First part of the codes of errors: `bench` */
  readonly area: string
}

/** @throws ConfigurationError when the file cannot be read, or is not UTF-8 */
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

/** @throws ConfigurationError when it is no YAML, and naming every wrong setting, with its line, its value and what it takes */
export function parseYamlSettings<Schema extends z.ZodType>(
  schema: Schema,
  yaml: string,
  file: SettingsFile,
): z.output<Schema> {
  const lines = new LineCounter()
  // Its warnings would go to the terminal by themselves.
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
  const lineOf = (path: readonly PropertyKey[]): string => {
    const offset = offsetOf(document, path)
    return offset === undefined ? '' : `line ${lines.linePos(offset).line}: `
  }
  let given: unknown
  try {
    // An empty file sets nothing.
    given = document.contents === null ? {} : document.toJS()
    JSON.stringify(given)
  } catch (cause) {
    throw invalid(cause instanceof ReferenceError ? cause.message : 'a list or a record holds itself.', cause)
  }
  return checkSettingsOf(schema, given, file, lineOf)
}

/** @throws ConfigurationError naming every wrong setting, its value and what it takes */
export function checkSettingsOf<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  file: SettingsFile,
  lineOf: (path: readonly PropertyKey[]) => string = () => '',
): z.output<Schema> {
  const { settings, problems } = checkSettings(schema, given)
  if (problems === undefined) return settings
  const told = problems.map(({ path, message }) => `${lineOf(path)}${message}`)
  throw new ConfigurationError({
    code: `${file.area}/config`,
    message: `${file.name} is not a valid ${file.what}:\n  ${told.join('\n  ')}`,
    details: { file: file.name, problems: told },
  })
}

/** Where a setting begins in the text; of one that is missing, what should hold it. */
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
