/** A conversation as a text to read. */
import { strongHash } from '../chat/strong-hash.ts'
import type { TextDocument } from '../documents/document.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { type ConversationPart, type ConversationTurn, saysAnything } from './conversation-turn.ts'

const names = { system: 'Instructions', user: 'User', assistant: 'Assistant' } as const

/** Heading before the text of a file. */
export const fileHeading = ({ name }: Pick<TextDocument, 'name'>): string => `File ${name}:\n`

/**
 * The turns in order. If there are several, each begins with a line that names the speaker. The sources of passages are
 * `message 3 (user)`, as the client counts its messages, and the names of files; what stands between them, such as that line, is a
 * source of its own, so that offsets and lines are those of the message itself.
 */
export function conversationDocument(turns: readonly ConversationTurn[]): TextDocument {
  const present = named(turns)
  const parts = present.flatMap((turn, i) => partsOf(turn, i === present.length - 1))
  const texts = documentsOf(parts)
  const sizes = texts.map(({ sizeBytes }) => sizeBytes)
  const said = present.map(({ turn }) => turn)
  return {
    name: said.length > 1 ? `a conversation of ${said.length} messages` : 'the message',
    sizeBytes: sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + size!, 0),
    isReopenable: true,
    async *open(signal) {
      for (const text of texts) yield* text.open(signal)
    },
    ...(said.every(isIdentified) && { fingerprint: (signal) => fingerprintOf(said, signal) }),
  }
}

interface NamedTurn {
  readonly turn: ConversationTurn
  readonly name: string
  /** Empty if nobody else speaks. */
  readonly heading: string
}

/** Turns without parts are counted and left out. */
function named(turns: readonly ConversationTurn[]): readonly NamedTurn[] {
  const isDialogue = turns.filter(saysAnything).length > 1
  let number = 0
  const all = turns.map((turn): NamedTurn => {
    const { role, name: speaker, isBeside } = turn
    const message = isBeside ? 'the instructions' : `message ${++number} (${role})`
    if (!isDialogue) return { turn, name: isBeside ? message : 'the message', heading: '' }
    return { turn, name: message, heading: `${[names[role], speaker].filter(Boolean).join(' ')}:\n` }
  })
  return all.filter(({ turn }) => saysAnything(turn))
}

/** A file, the message's own words, or what stands between them. */
type Part = TextDocument | { readonly text: string; readonly name: string; readonly isOwn: boolean }

function partsOf({ turn, name: message, heading }: NamedTurn, isLast: boolean): readonly Part[] {
  const { parts } = turn
  const hasFiles = parts.some((part) => typeof part !== 'string')
  const found: Part[] = []
  let texts = 0
  const between = (text: string) => found.push({ text, name: `${message}, heading`, isOwn: false })
  between(heading)
  for (const [i, part] of parts.entries()) {
    const [before, after] = [parts[i - 1], parts[i + 1]]
    if (typeof part !== 'string') {
      between(fileHeading(part))
      found.push(part)
      if (after !== undefined || !isLast) between('\n')
      continue
    }
    // Texts before and after a file are separate: offsets count from the start of each.
    if (typeof before !== 'string') texts++
    const name = hasFiles ? `${message}, text ${texts}` : message
    const goesOn = typeof after === 'string'
    found.push({ text: goesOn ? `${part}\n` : part, name, isOwn: true })
    if (!goesOn && (after !== undefined || (!isLast && !part.endsWith('\n')))) between('\n')
  }
  return found
}

/** Parts of one text, and what stands between two of them, are one document. */
function documentsOf(parts: readonly Part[]): readonly TextDocument[] {
  const documents: TextDocument[] = []
  let last: Exclude<Part, TextDocument> | undefined
  const flush = () => {
    if (last && last.text !== '') documents.push(createTextDocument(last.text, last.name))
    last = undefined
  }
  for (const part of parts) {
    if ('open' in part) {
      flush()
      documents.push(part)
      continue
    }
    if (part.text === '') continue
    const isSame = last?.isOwn === part.isOwn && (!part.isOwn || last.name === part.name)
    if (!isSame) flush()
    last = isSame ? { ...part, text: last!.text + part.text } : part
  }
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
