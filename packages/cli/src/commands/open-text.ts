/** The text given to a command: files, or standard input. */
import { DocumentError, type TextDocument } from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'
import { UsageError } from '../failures.ts'
import type { Terminal } from '../terminal.ts'

/** @throws UsageError when standard input is a terminal, and for a second `-`; DocumentError for files that cannot be read */
export async function openText(
  files: readonly string[],
  flags: { readonly replaceInvalid?: boolean },
  { stdin }: Terminal,
  usage: string,
): Promise<TextDocument> {
  const invalidBytes = flags.replaceInvalid ? 'replace' : 'error'
  const paths = files.length === 0 ? ['-'] : files
  if (paths.includes('-') && stdin.isTTY) {
    throw new UsageError({
      code: 'cli/no-text',
      message:
        files.length === 0 ? 'There is no text to read.' : 'Standard input (-) is a terminal, not a text.',
      hint: `Name files, or pipe a text in: cat book.txt | memagent ${usage}`,
    })
  }
  try {
    return await createFileDocument(paths, { invalidBytes, standardInput: stdin })
  } catch (cause) {
    if (!DocumentError.isInstance(cause) || cause.code !== 'document/input-twice') throw cause
    throw new UsageError({ code: cause.code, message: cause.message, hint: cause.hint, cause })
  }
}
