/** Rejects conversations whose files have no text: "not found" would say nothing about the intended files. */
import type { TextDocument } from '../documents/document.ts'
import { hasText, type TextRemark, withoutWords } from '../documents/require-text.ts'
import { DocumentError } from '../errors.ts'
import type { ConversationTurn } from './conversation-turn.ts'

/**
 * Reads no more of a file than needed.
 * @returns remarks, if some of the files have text
 * @throws DocumentError if none has, or if a file cannot be read
 */
export async function requireFileText(
  turns: readonly ConversationTurn[],
  signal?: AbortSignal,
): Promise<readonly TextRemark[]> {
  const files = turns.flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'))
  const silent: TextDocument[] = []
  for (const file of files) if (!(await hasText(file, signal))) silent.push(file)
  if (silent.length === 0) return []
  const remark = withoutWords(silent.map(({ name }) => name))
  if (silent.length < files.length) return [remark]
  throw new DocumentError({
    code: 'document/no-text',
    message: remark.message,
    hint: 'Check the file: it is empty, or has nothing but white space. To ask without it, leave it out.',
    details: { document: silent[0]!.name },
  })
}
