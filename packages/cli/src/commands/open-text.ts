/** The texts given to a command: files, folders, globs, archives, or standard input. */
import { existsSync } from 'node:fs'
import { DocumentError, type TextDocument } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { keepHeapSmall } from '../small-heap.ts'
import { type Output, printable, type Terminal } from '../terminal.ts'

export interface TextFlags {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly loader?: readonly string[]
  readonly replaceInvalid?: boolean
  readonly skipUnreadable?: boolean
}

/** @param argument what the texts are for */
export const addTextOptions = (command: Command, argument: string): Command =>
  command
    .argument('[files...]', argument)
    .optionsGroup('Texts:')
    .option(
      '--include <pattern>',
      'within folders, read only files matching this pattern, as in .gitignore (repeatable)',
      everyOne,
    )
    .option('--exclude <pattern>', 'within folders, skip files matching this pattern (repeatable)', everyOne)
    .option(
      '--loader <file>',
      'module that reads a kind of file of your own, before the built-in ones (repeatable)',
      everyOne,
    )
    .option('--skip-unreadable', 'go on after files that cannot be read, and list them at the end')
    .option('--replace-invalid', 'replace invalid bytes with U+FFFD instead of stopping')
    .optionsGroup('')

/** One value per flag: a flag that took several would take the texts that follow it, and they would not be read. */
const everyOne = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/**
 * @param remarks filled while the texts are read, with each remark once
 * @throws UsageError when standard input is a terminal, and for a second `-`; DocumentError for files that cannot be read,
 * ConfigurationError for a loader's module
 */
export async function openText(
  files: readonly string[],
  flags: TextFlags,
  { stdin }: Pick<Terminal, 'stdin'>,
  usage: string,
  remarks: SourceRemark[] = [],
): Promise<TextDocument> {
  const paths = files.length === 0 ? ['-'] : files
  if (paths.includes('-') && stdin.isTTY) {
    throw new UsageError({
      code: 'cli/no-text',
      message:
        files.length === 0 ? 'There is no text to read.' : 'Standard input (-) is a terminal, not a text.',
      hint: `Name files, or pipe a text in: cat book.txt | memagent ${usage}`,
    })
  }
  keepHeapSmall()
  // Imported only if there is something to read.
  const { loaders, loadLoaders, openDocuments } = await import('@memagent/documents')
  const own = flags.loader && (await loadLoaders(flags.loader))
  try {
    return await openDocuments(paths, {
      ...(own && { loaders: [...own, ...loaders] }),
      include: flags.include,
      exclude: flags.exclude,
      invalidBytes: flags.replaceInvalid ? 'replace' : 'error',
      skipsUnreadable: flags.skipUnreadable,
      skipsRepeated: true,
      standardInput: stdin,
      onRemark: (remark) => {
        if (!remarks.some(({ message }) => message === remark.message)) remarks.push(remark)
      },
    })
  } catch (cause) {
    if (!DocumentError.isInstance(cause)) throw cause
    const { code, message } = cause
    const hint = isMissingQuestion(cause, files) ? questionHints[usage] : undefined
    if (hint === undefined && code !== 'document/input-twice') throw cause
    throw new UsageError({ code, message, hint: hint ?? cause.hint, cause })
  }
}

/** For a question given in place of a text, or without quotes. */
const questionHints: Readonly<Record<string, string>> = {
  'ask "QUESTION"':
    'If it is part of the question: the question comes first, in quotes: memagent ask "QUESTION" FILES',
  estimate:
    'If it is a question: leave it out, since the estimate is the same for each. For several at once: --questions FILE.',
  notes: 'If it is a question: memagent ask "QUESTION" FILES. Notes are taken without one.',
  text: 'If it is a question: memagent ask "QUESTION" FILES. This command only prints the texts.',
}

/** Whether the first name does not look like a path, and nothing has it. A hint about a name that cannot be opened stays. */
const isMissingQuestion = (
  { code, details, hint }: DocumentError,
  [first = '']: readonly string[],
): boolean =>
  (code === 'document/no-files' || (code === 'document/unreadable' && hint === undefined)) &&
  details.path === first &&
  (/\S\s+\S/.test(first) || !/[./\\*[{]/.test(first)) &&
  !existsSync(first)

/** For the end of a command. */
export function printRemarks(remarks: readonly SourceRemark[], output: Output): void {
  for (const { code, message } of remarks) {
    output.write(`${code === 'source-skipped' ? 'skipped' : 'note'}: ${printable(message)}\n`)
  }
}
