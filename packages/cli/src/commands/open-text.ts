/** The text that a command was given: files, or standard input. */
import type { Document } from '@memagent/core'
import { documentFromFiles, documentFromStandardInput } from '@memagent/core/node'
import { UsageError } from '../failures.ts'
import type { Terminal } from '../terminal.ts'

/** @throws UsageError where a person would be waited for; DocumentError for files that cannot be read */
export async function openText(
  files: readonly string[],
  flags: { readonly replaceInvalid?: boolean },
  { stdin }: Terminal,
  usage: string,
): Promise<Document> {
  const decoding = { invalidBytes: flags.replaceInvalid ? 'replace' : 'error' } as const
  const fromInput = files.length === 0 || (files.length === 1 && files[0] === '-')
  if (!fromInput) return documentFromFiles(files, decoding)
  if (stdin.isTTY) {
    throw new UsageError({
      code: 'cli/no-text',
      message: 'There is no text to read.',
      hint: `Name files, or pipe a text in: cat book.txt | memagent ${usage}`,
    })
  }
  return documentFromStandardInput(stdin, decoding)
}
