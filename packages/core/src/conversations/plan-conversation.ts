/**
 * What is done with a conversation: it goes to the model as it is if it fits the window; otherwise it is read, and a
 * question is needed.
 */
import type { Message } from '../chat/message.ts'
import type { ModelProfile } from '../chat/profile.ts'
import { promptTokens } from '../chat/prompt-tokens.ts'
import type { TextDocument } from '../documents/document.ts'
import type { TextRemark } from '../documents/require-text.ts'
import { ConversationError } from '../errors.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createNeutralizer } from '../workflows/prompts/neutralize.ts'
import { conversationDocument, fileHeading } from './conversation-document.ts'
import type {
  ConversationPart,
  ConversationReader,
  ConversationRequest,
  ConversationTurn,
} from './conversation-turn.ts'
import { type FoundQuestion, findQuestion, fitsQuestion, mostCharactersPerToken } from './find-question.ts'
import { requireFileText } from './require-file-text.ts'

export type ConversationPlan = (DirectPlan | ReadingPlan) & {
  /** What there is to say of its files, where there is: one has no text, or a part that could not be read. */
  readonly remarks?: readonly TextRemark[] | undefined
}

export interface DirectPlan {
  readonly kind: 'direct'
  /** For the model, as they are; control tokens in files are neutralized. */
  readonly messages: readonly Message[]
  /** Of the answer: as many as were asked for, and as the window has room for. */
  readonly maxTokens: number
}

export interface ReadingPlan {
  readonly kind: 'reading'
  /** As it is asked: with the instructions of the conversation, if they fit beside it. */
  readonly question: string
  readonly questionFrom: FoundQuestion['questionFrom']
  /** Where system instructions went; undefined: there are none. */
  readonly instructions?: 'with-question' | 'in-text' | undefined
  readonly document: TextDocument
}

/**
 * Whether a conversation that fits the window goes to the model as it is. Models that were trained for a workflow know
 * its prompts alone.
 */
export const answersDirectly = ({ profile }: { readonly profile: ModelProfile }): boolean =>
  profile.workflows === undefined

/**
 * @throws ConversationError where there is nothing to read, or no question can be told from the conversation
 * @throws DocumentError of a file that cannot be read, and where there are files and none has text
 */
export async function planConversation(
  request: ConversationRequest,
  reader: ConversationReader,
  signal?: AbortSignal,
): Promise<ConversationPlan> {
  if (request.turns.length === 0) throw noMessages()
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
  const turns = text
    .map((turn) => (isTogether && turn.role === 'system' ? onlyFiles(turn) : turn))
    .filter(hasText)
  if (turns.length === 0) throw nothingToRead()
  return {
    kind: 'reading',
    question: isTogether ? together : question,
    questionFrom,
    ...(instructions !== '' && { instructions: isTogether ? 'with-question' : 'in-text' }),
    document: conversationDocument(turns),
  }
}

/** Words of instructions may stand beside the question; files are read. */
const onlyFiles = (turn: ConversationTurn): ConversationTurn => ({
  ...turn,
  parts: turn.parts.filter((part) => typeof part !== 'string'),
})

const hasText = ({ parts }: ConversationTurn) =>
  parts.some((part) => typeof part !== 'string' || part.trim() !== '')

/** Of an answer, where the request does not say: hosted models refuse to be asked for more than they can write, some for more than this. */
const usualTokens = 4096

/** Undefined where the window has no room for the messages and the answer that was asked for, or one that the budget provides for. */
async function directPlan(
  { turns, maxTokens }: ConversationRequest,
  { model, profile }: ConversationReader,
  signal: AbortSignal | undefined,
): Promise<(DirectPlan & Pick<ConversationPlan, 'remarks'>) | undefined> {
  const { window, output } = profile.budget
  const messages: Message[] = []
  const unread: TextRemark[] = []
  let left = mostCharactersPerToken * window
  for (const { role, name, parts } of turns) {
    // Chat templates know roles alone.
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

/** Undefined where it has more characters; no more of a file is opened than it takes to know. @param unread gets what could not be read */
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

/** A file is no word of the user's: whoever wrote it could end the turn and begin another. */
const neutralizeFile = createNeutralizer([])

const noMessages = () =>
  new ConversationError({ code: 'conversation/no-messages', message: 'There are no messages.' })

const nothingToRead = () =>
  new ConversationError({
    code: 'conversation/no-text',
    message:
      'There is a question and no text to read: this model answers from a text in the messages before it.',
  })
