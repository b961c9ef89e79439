/** `--no-sources` and `--verify`: where the answer or the notes come from, and whether the sources still support them. */
import {
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
 * The result of `--verify` for the answer or the notes.
 * @throws DocumentError; UsageError for a reading that was begun without sources
 */
export async function verified(
  { provenance }: EndEvent,
  { verify }: SourcesFlags,
  document: TextDocument,
): Promise<readonly VerifiedStatement[] | undefined> {
  return verify ? verifySources(document, statementsOf(provenance)) : undefined
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
  for (const { changed } of found) {
    for (const source of changed) stderr.write(`changed: ${quotePlace(source)} is not as it was read.\n`)
  }
  const unsupported = found.filter(({ stands }) => !stands)
  for (const { statement } of unsupported) stderr.write(`does not stand: ${printable(statement.text)}\n`)
  if (unsupported.length === 0) stderr.write('Verified: these passages still support the result.\n')
}

/** A result that its passages do not support is unsure. */
export const exitCodeAfter = (code: number, found: readonly VerifiedStatement[] | undefined): number =>
  code === exitCodes.ok && found?.some(({ stands }) => !stands) ? exitCodes.unsure : code
