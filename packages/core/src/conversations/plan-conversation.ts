/**
 * Decides what to do with a conversation: if it fits the window, it goes to the model as it is; otherwise it is read, and a
 * question is needed.
 */
import type { Message } from '../chat/message.ts'
import type { ModelProfile } from '../chat/profile.ts'
import { promptTokens } from '../chat/prompt-tokens.ts'
import type { TextDocument } from '../documents/document.ts'
import { isShown, type TextRemark } from '../documents/require-text.ts'
import { ConversationError } from '../errors.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createNeutralizer } from '../workflows/prompts/neutralize.ts'
import { conversationDocument, fileHeading } from './conversation-document.ts'
import {
  type ConversationPart,
  type ConversationReader,
  type ConversationRequest,
  type ConversationTurn,
  saysAnything,
} from './conversation-turn.ts'
import { type FoundQuestion, findQuestion, fitsQuestion, mostCharactersPerToken } from './find-question.ts'
import { requireFileText } from './require-file-text.ts'

export type ConversationPlan = (DirectPlan | ReadingPlan) & {
  /** Remarks on its files, if any: one has no text, or a part could not be read. */
  readonly remarks?: readonly TextRemark[] | undefined
}

export interface DirectPlan {
  readonly kind: 'direct'
  /** Messages for the model, unchanged, except that control tokens in files are neutralized. */
  readonly messages: readonly Message[]
  /** Tokens of the answer: as many as were asked for and fit the window. */
  readonly maxTokens: number
}

export interface ReadingPlan {
  readonly kind: 'reading'
  /** The question to ask: with the instructions of the conversation, if they fit beside it. */
  readonly question: string
  readonly questionFrom: FoundQuestion['questionFrom']
  /** Where system instructions went; undefined if there are none. */
  readonly instructions?: 'with-question' | 'in-text' | undefined
  readonly document: TextDocument
}

/**
 * Whether a conversation that fits the window goes to the model as it is. Models trained for a workflow only know its prompts.
 */
export const answersDirectly = ({ profile }: { readonly profile: ModelProfile }): boolean =>
  profile.workflows === undefined

/**
 * @throws ConversationError if there is nothing to read, or the conversation has no recognizable question
 * @throws DocumentError for a file that cannot be read, and if there are files but none has text
 */
export async function planConversation(
  request: ConversationRequest,
  reader: ConversationReader,
  signal?: AbortSignal,
): Promise<ConversationPlan> {
  if (!request.turns.some(saysAnything)) throw noMessages()
  const silent = await requireFileText(request.turns, signal)
  const plan = await planTurns(request, reader, signal)
  const remarks = [...silent, ...(plan.remarks ?? [])]
  return remarks.length === 0 ? plan : { ...plan, remarks }
}

async function planTurns(
  request: ConversationRequest,
  reader: ConversationReader,
  signal: AbortSignal | undefined,
): Promise<ConversationPlan> {
  if (request.question === undefined && answersDirectly(reader)) {
    const plan = await directPlan(request, reader, signal)
    if (plan) return plan
  }
  const { question, questionFrom, text } = await findQuestion(request, reader)
  const instructions = text
    .filter(({ role }) => role === 'system')
    .flatMap(({ parts }) => parts.filter((part) => typeof part === 'string'))
    .join('\n')
    .trim()
  const together = `${instructions}\n\n${question}`
  const isTogether = instructions !== '' && answersDirectly(reader) && (await fitsQuestion(together, reader))
  // Emptied and not left out, as sources count messages.
  const turns = text
    .map((turn) => (isTogether && turn.role === 'system' ? onlyFiles(turn) : turn))
    .map((turn) => (hasText(turn) ? turn : { ...turn, parts: [] }))
  if (!turns.some(saysAnything)) throw nothingToRead()
  return {
    kind: 'reading',
    question: isTogether ? together : question,
    questionFrom,
    ...(instructions !== '' && { instructions: isTogether ? 'with-question' : 'in-text' }),
    document: conversationDocument(turns),
  }
}

/** Instructions in words go with the question; their files are read. */
const onlyFiles = (turn: ConversationTurn): ConversationTurn => ({
  ...turn,
  parts: turn.parts.filter((part) => typeof part !== 'string'),
})

const hasText = ({ parts }: ConversationTurn) =>
  parts.some((part) => typeof part !== 'string' || isShown(part))

/**
 * The answer's tokens if the request does not say. Hosted models reject more than they can write, and some would reject a larger
 * default.
 */
const usualTokens = 4096

/** Undefined if the window has no room for the messages and the answer asked for, or at least one within the budget. */
async function directPlan(
  { turns, maxTokens }: ConversationRequest,
  { model, profile }: ConversationReader,
  signal: AbortSignal | undefined,
): Promise<(DirectPlan & Pick<ConversationPlan, 'remarks'>) | undefined> {
  const { window, output } = profile.budget
  const messages: Message[] = []
  const unread: TextRemark[] = []
  let left = mostCharactersPerToken * window
  for (const { role, name, parts } of turns.filter(saysAnything)) {
    // Chat templates only know roles.
    const texts = name === undefined ? [] : [`${name}:`]
    for (const part of parts) {
      const text = await shortText(part, left, unread, signal)
      if (text === undefined) return undefined
      left -= text.length
      texts.push(text)
    }
    messages.push({ role, content: texts.join('\n') })
  }
  const tokens = await promptTokens(model, model.tokenizer ?? createEstimateTokenizer(), messages)
  const [most, room] = [maxTokens ?? Math.max(output, usualTokens), window - tokens]
  return room < Math.min(most, output)
    ? undefined
    : {
        kind: 'direct',
        messages,
        maxTokens: Math.min(most, room),
        ...(unread.length > 0 && { remarks: unread }),
      }
}

/** Undefined if it is longer than `most`; reads no more of a file than needed. @param unread collects what could not be read */
async function shortText(
  part: ConversationPart,
  most: number,
  unread: TextRemark[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (typeof part === 'string') return part.length > most ? undefined : part
  let text = fileHeading(part)
  for await (const piece of part.open(signal)) {
    if (piece.unread) unread.push(piece.unread)
    text += piece.text
    if (text.length > most) return undefined
  }
  return neutralizeFile(text)
}

/** A file is not the user's own words: its author could end the turn and begin another. */
const neutralizeFile = createNeutralizer([])

const noMessages = () =>
  new ConversationError({ code: 'conversation/no-messages', message: 'There are no messages.' })

const nothingToRead = () =>
  new ConversationError({
    code: 'conversation/no-text',
    message:
      'There is a question and no text to read: this model answers from a text in the messages before it.',
  })
