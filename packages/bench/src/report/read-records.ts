/** Reads recorded lines one by one, so that long traces are never held together. */
import { createReadStream } from 'node:fs'
import { ConfigurationError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { type BenchRecord, parseRecord, type RecordProblem } from '../record.ts'

/** A record, or what a kill or a loss of power left of one. */
export type RecordLine = { readonly record: BenchRecord } | { readonly isCut: true; readonly isLast: boolean }

/** Start of every line of a record; identifies a line that was cut short. */
export const lineStart = '{"version":'

/** A line without the zero bytes that a loss of power leaves in the place of text that was not written any more. */
export const withoutZeros = (line: string): string => line.replace(/^\0+|\0+$/g, '')

/** @throws ConfigurationError for an unreadable file, and, with its number, for a line that is not a record */
export async function* readRecordLines(path: string): AsyncGenerator<RecordLine> {
  let number = 0
  for await (const { line: written, isLast } of linesOf(path)) {
    number += 1
    if (written.trim() === '') continue
    const line = withoutZeros(written)
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      if (line === '' || line.startsWith(lineStart) || (isLast && lineStart.startsWith(line))) {
        yield { isCut: true, isLast }
        continue
      }
      throw badLine(path, number, { problem: 'it is not JSON', isOtherVersion: false })
    }
    const parsed = parseRecord(value)
    if ('problem' in parsed) throw badLine(path, number, parsed)
    yield parsed
  }
}

/** Only a line feed ends a line: texts may contain other characters that some readers take for line ends. */
async function* linesOf(path: string): AsyncGenerator<{ line: string; isLast: boolean }> {
  let pieces: string[] = []
  try {
    for await (const text of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
      const [first, ...more] = text.split('\n')
      pieces.push(first!)
      for (const piece of more) {
        yield { line: pieces.join(''), isLast: false }
        pieces = [piece]
      }
    }
  } catch (cause) {
    throw unreadableRecord(path, cause)
  }
  yield { line: pieces.join(''), isLast: true }
}

export const unreadableRecord = (path: string, cause: unknown) =>
  new ConfigurationError({
    code: 'bench/unreadable-record',
    message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
    details: { path },
    cause,
  })

const badLine = (path: string, line: number, { problem, isOtherVersion }: RecordProblem) =>
  new ConfigurationError({
    code: 'bench/bad-record',
    message: `${path}, line ${line}, ${isOtherVersion ? 'cannot be read' : 'is no record of a benchmark'}: ${problem}`,
    hint: isOtherVersion
      ? 'Read it with the version of memagent that wrote it.'
      : `Give files that \`memagent bench run\` wrote.${line > 1 ? ' If it did and the line is damaged, remove the line: its sample is then asked again.' : ''}`,
    details: { path, line },
  })
