/** `--no-sources` and `--verify`: where the answer or the notes come from, and whether the sources still support them. */
import {
  DocumentError,
  type TextDocument,
  type TracedStatement,
  type VerifiedStatement,
  verifySources,
} from '@memagent/core'
import type { Command } from 'commander'
import { exitCodes, UsageError } from '../failures.ts'
import { printable, type Terminal } from '../terminal.ts'
import { quotePlace } from '../view/place-text.ts'
import { printSources, provenanceFields } from '../view/sources.ts'
import type { EndEvent } from './run-reading.ts'

export interface SourcesFlags {
  readonly sources: boolean
  readonly verify?: boolean
}

export const addSourcesOptions = (command: Command): Command =>
  command
    .option('--no-sources', 'do not look for the passages that the result comes from')
    .option('--verify', 'read the cited passages again, and say whether they still support the result')

/** @throws UsageError before anything is read, for flags that contradict each other or the document */
export function checkSourcesFlags(
  { sources, verify }: SourcesFlags,
  { name, isReopenable }: TextDocument,
): void {
  if (!verify) return
  if (!sources) {
    throw new UsageError({
      code: 'cli/verify-without-sources',
      message: '--verify reads the sources again, and --no-sources looks for none.',
      hint: 'Leave one of them out.',
    })
  }
  if (!isReopenable) {
    throw new UsageError({
      code: 'cli/verify-read-once',
      message: `${name} can be read only once, so --verify could not read its passages again.`,
      hint: 'Save it to a file first.',
    })
  }
}

/**
 * The result of `--verify` for the answer or the notes. If the text cannot be read any more, which a note says, nothing stands.
 * @throws UsageError for a reading that was begun without sources
 */
export async function verified(
  { provenance }: EndEvent,
  { verify }: SourcesFlags,
  document: TextDocument,
  { stderr }: Pick<Terminal, 'stderr'>,
): Promise<readonly VerifiedStatement[] | undefined> {
  if (!verify) return undefined
  const statements = statementsOf(provenance)
  try {
    return await verifySources(document, statements)
  } catch (error) {
    if (!DocumentError.isInstance(error)) throw error
    // The result was paid for, and must still be shown.
    stderr.write(`note: The passages cannot be read again: ${printable(error.message)}\n`)
    return statements.map((statement) => ({ statement, stands: false, changed: [] }))
  }
}

/** The statements to verify. @throws UsageError if the reading looked for no sources */
export function statementsOf(provenance: EndEvent['provenance']): readonly TracedStatement[] {
  if (provenance) return provenance.answer ?? provenance.memory
  throw new UsageError({
    code: 'cli/verify-without-sources',
    message: '--verify reads the sources again, and this reading was begun with --no-sources.',
    hint: 'The same command without --verify shows the result.',
  })
}

/** For `--json`. */
export function sourcesFields({ provenance }: EndEvent, found: readonly VerifiedStatement[] | undefined) {
  if (!provenance) return {}
  return {
    ...provenanceFields(provenance),
    ...(found && { verified: found.map(({ statement: { text }, stands }) => ({ text, stands })) }),
  }
}

export function tellSources(
  { provenance }: EndEvent,
  found: readonly VerifiedStatement[] | undefined,
  { stderr }: Pick<Terminal, 'stderr'>,
): void {
  if (!provenance) return
  printSources(provenance, stderr)
  if (!found || found.length === 0) return
  const lines = unsupportedLines(found)
  for (const line of lines) stderr.write(`${line}\n`)
  if (lines.length === 0) stderr.write('Verified: these passages still support the result.\n')
}

/** What `--verify` found wrong, if anything. */
export const unsupportedLines = (found: readonly VerifiedStatement[]): string[] => [
  ...found.flatMap(({ changed }) =>
    changed.map((source) => `changed: ${quotePlace(source)} is not as it was read.`),
  ),
  ...found.flatMap(({ statement, stands }) =>
    stands ? [] : [`does not stand: ${printable(statement.text)}`],
  ),
]

/** A result that its passages do not support is unsure. */
export const exitCodeAfter = (code: number, found: readonly VerifiedStatement[] | undefined): number =>
  code === exitCodes.ok && found?.some(({ stands }) => !stands) ? exitCodes.unsure : code
