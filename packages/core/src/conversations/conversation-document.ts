/** A conversation as a text to read. */
import { strongHash } from '../chat/strong-hash.ts'
import type { TextDocument } from '../documents/document.ts'
import { createTextDocument } from '../documents/text-document.ts'
import type { ConversationPart, ConversationTurn } from './conversation-turn.ts'

const names = { system: 'Instructions', user: 'User', assistant: 'Assistant' } as const

/** Heading before the text of a file. */
export const fileHeading = ({ name }: Pick<TextDocument, 'name'>): string => `File ${name}:\n`

/**
 * The turns in order. If there are several, each begins with a line that names the speaker and is part of the text and its byte
 * offsets. The sources of passages are `message 3 (user)` and the names of files.
 */
export function conversationDocument(turns: readonly ConversationTurn[]): TextDocument {
  const isDialogue = turns.length > 1
  const texts = turns.flatMap((turn, i) => textsOf(turn, i, { isDialogue, isLast: i === turns.length - 1 }))
  const sizes = texts.map(({ sizeBytes }) => sizeBytes)
  return {
    name: isDialogue ? `a conversation of ${turns.length} messages` : 'the message',
    sizeBytes: sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + size!, 0),
    isReopenable: true,
    async *open(signal) {
      for (const text of texts) yield* text.open(signal)
    },
    ...(turns.every(isIdentified) && { fingerprint: (signal) => fingerprintOf(turns, signal) }),
  }
}

interface Place {
  readonly isDialogue: boolean
  readonly isLast: boolean
}

function textsOf(
  { role, name: speaker, parts }: ConversationTurn,
  index: number,
  { isDialogue, isLast }: Place,
): TextDocument[] {
  const message = isDialogue ? `message ${index + 1} (${role})` : 'the message'
  const hasFiles = parts.some((part) => typeof part !== 'string')
  const documents: TextDocument[] = []
  let text = isDialogue ? `${[names[role], speaker].filter(Boolean).join(' ')}:\n` : ''
  const flush = () => {
    // Texts before and after a file are separate: offsets count from the start of each.
    const name = hasFiles ? `${message}, text ${documents.length + 1}` : message
    if (text !== '') documents.push(createTextDocument(text, name))
    text = ''
  }
  for (const [i, part] of parts.entries()) {
    const isEnd = i === parts.length - 1
    if (typeof part === 'string') {
      text += isEnd ? part : `${part}\n`
      continue
    }
    text += fileHeading(part)
    flush()
    documents.push(part)
    if (!isEnd || !isLast) text = '\n'
  }
  if (!isLast && !text.endsWith('\n')) text += '\n'
  flush()
  return documents
}

const isIdentified = ({ parts }: ConversationTurn) =>
  parts.every((part) => typeof part === 'string' || part.fingerprint !== undefined)

async function fingerprintOf(turns: readonly ConversationTurn[], signal?: AbortSignal): Promise<string> {
  const identityOf = (part: ConversationPart) =>
    typeof part === 'string' ? strongHash(part) : part.fingerprint!(signal)
  const identities: unknown[] = []
  for (const { role, name, parts } of turns) {
    const speaker = name === undefined ? [] : [name]
    for (const part of parts) {
      const file = typeof part === 'string' ? '' : part.name
      identities.push([role, file, await identityOf(part), ...speaker])
    }
    identities.push('end')
  }
  return `conversation:${await strongHash(JSON.stringify(identities))}`
}
