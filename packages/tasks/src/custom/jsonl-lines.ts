/**
 * The lines of a JSONL file of questions: checked once from start to end, then read one by one from their place in the file,
 * so that a file with long documents in it is never held whole.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { normalizeAnswer } from '../verifiers/normalize.ts'

export interface QuestionLine {
  readonly id: string
  readonly question: string
  /** The text itself, or the path of its file. */
  readonly source: { readonly text: string } | { readonly path: string }
  readonly answers: readonly string[]
  readonly match: 'any' | 'all'
}

/** Where a line stands in its file. */
export interface LinePlace {
  /** 1-based. */
  readonly number: number
  readonly startByte: number
  readonly lengthBytes: number
}

/** @throws TaskError that names the wrong lines, and what is wrong with each */
export async function indexLines(path: string): Promise<readonly LinePlace[]> {
  const places: LinePlace[] = []
  const problems: string[] = []
  const seen = new Map<string, number>()
  for await (const { place, bytes } of rawLines(path)) {
    try {
      const text = decode(bytes)
      if (text.trim() === '') {
        continue
      }
      const line = parseLine(text, place.number, dirname(path))
      const earlier = seen.get(line.id)
      if (earlier !== undefined) {
        throw new Problem(`the id ${JSON.stringify(line.id)} was already used in line ${earlier}`)
      }
      seen.set(line.id, place.number)
      if ('path' in line.source) {
        await checkDocument(line.source.path)
      }
      places.push(place)
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error
      }
      problems.push(`line ${place.number}: ${error.message}`)
    }
  }
  if (problems.length > 0) {
    throw wrongLines(path, problems)
  }
  if (places.length === 0) {
    throw new TaskError({
      code: 'task/empty-jsonl',
      message: `${path} holds no questions.`,
      hint: 'Each line is a JSON object: {"question": "...", "document": "...", "answers": ["..."]}',
      details: { path },
    })
  }
  return places
}

/** @throws TaskError when the file was changed since it was checked */
export async function readLine(path: string, place: LinePlace): Promise<QuestionLine> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path)
    const bytes = new Uint8Array(place.lengthBytes)
    const { bytesRead } = await handle.read(bytes, 0, place.lengthBytes, place.startByte)
    return parseLine(decode(bytes.subarray(0, bytesRead)), place.number, dirname(path))
  } catch (cause) {
    if (cause instanceof Problem) {
      throw wrongLines(
        path,
        [`line ${place.number}: ${cause.message}`],
        'The file was changed while it was in use.',
      )
    }
    throw unreadable(path, cause)
  } finally {
    await handle?.close()
  }
}

/** What is wrong with a line; becomes a TaskError with the line's number. */
class Problem extends Error {}

const lineFeed = 10

/** The lines of a file as bytes, blank ones too. @throws TaskError when it cannot be read */
export async function* rawLines(path: string): AsyncGenerator<{ place: LinePlace; bytes: Uint8Array }> {
  let held: Uint8Array[] = []
  let number = 1
  let startByte = 0
  const finish = (): { place: LinePlace; bytes: Uint8Array } => {
    const bytes = held.length === 1 ? held[0]! : Buffer.concat(held)
    const place = { number, startByte, lengthBytes: bytes.length }
    number += 1
    startByte += bytes.length + 1
    held = []
    return { place, bytes }
  }
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      let from = 0
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
        held.push(chunk.subarray(from, at))
        from = at + 1
        yield finish()
      }
      held.push(chunk.subarray(from))
    }
  } catch (cause) {
    throw unreadable(path, cause)
  }
  if (held.some((bytes) => bytes.length > 0)) {
    yield finish()
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Without the byte order mark, which only the first line can have. */
function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('it is not UTF-8')
  }
}

function parseLine(text: string, number: number, folder: string): QuestionLine {
  let row: unknown
  try {
    row = JSON.parse(text)
  } catch (error) {
    throw new Problem(`it is not JSON: ${(error as Error).message}`)
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new Problem(`a JSON object is wanted, not ${kindOf(row)}`)
  }
  const { id, question, document, documentFile, answers, match = 'any' } = row as Record<string, unknown>
  if (id !== undefined && (typeof id !== 'string' || id === '')) {
    throw new Problem(`"id" must be a string with something in it, not ${kindOf(id)}`)
  }
  if (match !== 'any' && match !== 'all') {
    throw new Problem(`"match" must be "any" or "all", not ${JSON.stringify(match)}`)
  }
  if (document !== undefined && documentFile !== undefined) {
    throw new Problem('it has both "document" and "documentFile"; one of them is wanted')
  }
  return {
    id: id ?? `line-${number}`,
    question: textField('question', question),
    source:
      documentFile === undefined
        ? { text: textField('document', document, 'or "documentFile" ') }
        : { path: resolve(folder, textField('documentFile', documentFile)) },
    answers: answersField(answers),
    match,
  }
}

function textField(field: string, value: unknown, alternative = ''): string {
  if (value === undefined) {
    throw new Problem(`"${field}" ${alternative}is missing`)
  }
  if (typeof value !== 'string' || value.trim() === '') {
    throw new Problem(`"${field}" must be a string with something in it, not ${kindOf(value)}`)
  }
  return value
}

function answersField(answers: unknown): readonly string[] {
  if (answers === undefined) {
    throw new Problem('"answers" is missing; an empty list says that the document does not answer')
  }
  if (!Array.isArray(answers)) {
    throw new Problem(`"answers" must be a list of strings, not ${kindOf(answers)}`)
  }
  const wrong = answers.findIndex((answer) => typeof answer !== 'string' || normalizeAnswer(answer) === '')
  if (wrong >= 0) {
    throw new Problem(
      `answer ${wrong + 1} must be a string with letters or digits, not ${kindOf(answers[wrong])}`,
    )
  }
  return answers
}

/** For messages: what is there instead of what is wanted. */
export const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'string'
        ? JSON.stringify(value.slice(0, 40))
        : typeof value === 'object'
          ? 'an object'
          : `the ${typeof value} ${value}`

async function checkDocument(path: string): Promise<void> {
  const status = await stat(path).catch(() => undefined)
  if (status === undefined) {
    throw new Problem(`there is no document ${path}`)
  }
  if (!status.isFile()) {
    throw new Problem(`the document ${path} is not a file`)
  }
}

const shownProblems = 5

function wrongLines(path: string, problems: readonly string[], hint?: string): TaskError {
  const more = problems.length - shownProblems
  return new TaskError({
    code: 'task/bad-jsonl',
    message: `${path}: ${problems.slice(0, shownProblems).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    hint: hint ?? 'Each line is a JSON object: {"question": "...", "document": "...", "answers": ["..."]}',
    details: { path, problems },
  })
}

function unreadable(path: string, cause: unknown): TaskError {
  return new TaskError({
    code: 'task/unreadable-jsonl',
    message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
    details: { path },
    cause,
  })
}
