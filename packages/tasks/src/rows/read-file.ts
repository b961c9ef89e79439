/** Reads whole files. */
import { readFile } from 'node:fs/promises'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { checkSettings } from '@memagent/core/settings'
import type { z } from 'zod'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text without its byte order mark. @param hint what file is expected @throws TaskError if unreadable or not UTF-8 */
export async function readText(path: string, hint?: string): Promise<string> {
  try {
    return decoder.decode(await readFile(path))
  } catch (cause) {
    throw new TaskError({
      code: 'task/unreadable-file',
      message: `cannot read ${path}: ${whyUnreadable(cause)}`,
      hint,
      details: { path },
      cause,
    })
  }
}

/** @throws TaskError as `readText` does, for invalid JSON, and, naming the fields, if it does not match the schema */
export async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  hint: string,
): Promise<z.output<Schema>> {
  const text = await readText(path, hint)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    const message = `${path} is not JSON: ${(cause as Error).message}`
    throw new TaskError({ code: 'task/bad-json', message, hint, details: { path }, cause })
  }
  const { settings, problems } = checkSettings(schema, content)
  if (problems === undefined) return settings
  const told = problems.slice(0, 5).map(({ message }) => message)
  throw new TaskError({
    code: 'task/bad-format',
    message: `${path} is not as it should be: ${told.join('; ')}`,
    hint,
    details: { path, problems: problems.length },
  })
}
