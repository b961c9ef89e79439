/** Lengths of documents that are not those asked for. */
import type { TextDocument } from '@memagent/core'
import type { Sample, Task } from '@memagent/tasks'

export async function documentTokens(
  document: TextDocument,
  countTokens: (text: string) => number,
): Promise<number> {
  let tokens = 0
  for await (const { text } of document.open()) tokens += countTokens(text)
  return tokens
}

/** Padding comes only near the length. */
const mostOverLength = 1.1

/** Whether the requested length is only a name for this sample. Counts tokens where the task alone does not tell. */
export async function hasOwnLength(
  { keepsLength = false, keepsLonger = false }: Task,
  { document }: Sample,
  lengthTokens: number,
  countTokens: (text: string) => number,
): Promise<boolean> {
  if (keepsLength || !keepsLonger) return keepsLength
  return (await documentTokens(document, countTokens)) > mostOverLength * lengthTokens
}
