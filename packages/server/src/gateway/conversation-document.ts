/** A conversation as a text to read. */
import { createHash } from 'node:crypto'
import { createTextDocument, type TextDocument } from '@memagent/core'
import { type Turn, textOf } from './conversation.ts'

const names = { system: 'Instructions', user: 'User', assistant: 'Assistant' } as const

/**
 * The turns in order. Where there are several, each begins with a line that says who speaks, which is part of the
 * text and of its byte offsets; the sources of passages are `message 3 (user)`.
 */
export function conversationDocument(turns: readonly Turn[]): TextDocument {
  const isDialogue = turns.length > 1
  const texts = turns.map((turn, i) => {
    const text = isDialogue ? `${names[turn.role]}:\n${textOf(turn)}` : textOf(turn)
    const end = i < turns.length - 1 && !text.endsWith('\n') ? '\n' : ''
    return createTextDocument(text + end, isDialogue ? `message ${i + 1} (${turn.role})` : 'the message')
  })
  return {
    name: isDialogue ? `a conversation of ${turns.length} messages` : 'the message',
    sizeBytes: texts.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0),
    isReopenable: true,
    async *open(signal) {
      for (const text of texts) yield* text.open(signal)
    },
    async fingerprint() {
      const hash = createHash('sha256')
      for (const turn of turns) hash.update(JSON.stringify([turn.role, textOf(turn)]))
      return `conversation:${hash.digest('hex')}`
    },
  }
}
