/** A prompt of the SDK as turns, with its files opened. */
import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { type ConversationPart, type ConversationTurn, createFileNames } from '@memagent/core'
import { unsupported } from './call-settings.ts'
import { openFile } from './open-file.ts'

export interface PromptFile {
  /** As in passages; unique within the prompt. */
  readonly name: string
  readonly mediaType: string
}

export interface PromptTurns {
  readonly turns: readonly ConversationTurn[]
  readonly files: readonly PromptFile[]
  /** What could not be read of the files; complete once they were read. */
  readonly remarks: Set<string>
}

/** @throws UnsupportedFunctionalityError for tools, and for files of kinds that cannot be read here */
export async function promptTurns(prompt: LanguageModelV3Prompt): Promise<PromptTurns> {
  const files: PromptFile[] = []
  const remarks = new Set<string>()
  const nameOf = createFileNames()
  const open = (part: LanguageModelV3FilePart) => {
    const name = nameOf(part.filename)
    files.push({ name, mediaType: part.mediaType })
    return openFile(part, name, (message) => remarks.add(message))
  }
  const turns: ConversationTurn[] = []
  for (const message of prompt) {
    if (message.role === 'tool') throw unsupported('results of tools')
    const { role } = message
    const parts = message.role === 'system' ? [message.content] : await partsOf(message, open)
    turns.push({ role, parts })
  }
  return { turns, files, remarks }
}

type Spoken = Extract<LanguageModelV3Message, { role: 'user' | 'assistant' }>

async function partsOf(
  { content }: Spoken,
  open: (part: LanguageModelV3FilePart) => Promise<ConversationPart>,
): Promise<ConversationPart[]> {
  const parts: ConversationPart[] = []
  for (const part of content) {
    if (part.type === 'text') parts.push(part.text)
    else if (part.type === 'file') parts.push(await open(part))
    // Reasoning of earlier answers, such as memories, is not part of what was said.
    else if (part.type !== 'reasoning') throw unsupported('calls of tools')
  }
  return parts
}
