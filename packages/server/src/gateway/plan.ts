/**
 * What is done with a conversation: it goes to the model as it is if it fits the window; otherwise it is read, and a
 * question is needed. The question is never looked for in the text: it is the field, the last message or its last part.
 */
import {
  createEstimateTokenizer,
  createNeutralizer,
  promptsFor,
  promptTokens,
  type TextDocument,
} from '@memagent/core'
import { RequestError } from '../errors.ts'
import { answersDirectly, type ServedModel } from '../served-model.ts'
import { type ConversationRequest, type Turn, textOf } from './conversation.ts'
import { conversationDocument } from './conversation-document.ts'

export type Plan = DirectPlan | ReadingPlan

export interface DirectPlan {
  readonly kind: 'direct'
}

export interface ReadingPlan {
  readonly kind: 'reading'
  /** As it is asked: with the instructions of the conversation, if they fit beside it. */
  readonly question: string
  readonly questionFrom: 'field' | 'last-message' | 'last-part'
  /** Where system instructions went; undefined: there are none. */
  readonly instructions?: 'with-question' | 'in-text' | undefined
  readonly document: TextDocument
}

/** @throws RequestError where the text is too long for the window and no question can be told from it */
export async function planOf(request: ConversationRequest, served: ServedModel): Promise<Plan> {
  if (request.turns.length === 0) throw noMessages()
  if (request.question === undefined && answersDirectly(served) && (await fitsWindow(request, served))) {
    return { kind: 'direct' }
  }
  const { question, questionFrom, text } = await questionOf(request, served)
  const isInstruction = ({ role }: Turn) => role === 'system'
  const instructions = text.filter(isInstruction).map(textOf).join('\n').trim()
  const together = `${instructions}\n\n${question}`
  const isTogether = instructions !== '' && answersDirectly(served) && (await fitsQuestion(together, served))
  const turns = text.filter((turn) => textOf(turn).trim() !== '' && !(isTogether && isInstruction(turn)))
  if (turns.length === 0) throw nothingToRead()
  return {
    kind: 'reading',
    question: isTogether ? together : question,
    questionFrom,
    ...(instructions !== '' && { instructions: isTogether ? 'with-question' : 'in-text' }),
    document: conversationDocument(turns),
  }
}

/** A token has hardly ever more characters; a longer text need not be counted. */
const mostCharactersPerToken = 16

async function fitsWindow(
  { turns, maxTokens }: ConversationRequest,
  { model, profile }: ServedModel,
): Promise<boolean> {
  const { window, output } = profile.budget
  const messages = turns.map((turn) => ({ role: turn.role, content: textOf(turn) }))
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
  if (characters > mostCharactersPerToken * window) return false
  return (await promptTokens(model, tokenizerOf(model), messages)) + (maxTokens ?? output) <= window
}

interface FoundQuestion extends Pick<ReadingPlan, 'question' | 'questionFrom'> {
  /** The rest. */
  readonly text: readonly Turn[]
}

async function questionOf(request: ConversationRequest, served: ServedModel): Promise<FoundQuestion> {
  const { turns, question } = request
  if (question !== undefined) {
    if (!(await fitsQuestion(question, served))) throw questionTooLong(served)
    return { question, questionFrom: 'field', text: turns }
  }
  const last = turns.at(-1)!
  if (last.role !== 'user') throw noQuestion('The last message is not the user’s, so it is no question')
  const before = turns.slice(0, -1)
  const whole = textOf(last).trim()
  if (whole === '') throw noQuestion('The last message is empty')
  if (await fitsQuestion(whole, served)) {
    return { question: whole, questionFrom: 'last-message', text: before }
  }
  const part = last.parts.at(-1)!.trim()
  if (last.parts.length > 1 && part !== '' && (await fitsQuestion(part, served))) {
    const text = [...before, { ...last, parts: last.parts.slice(0, -1) }]
    return { question: part, questionFrom: 'last-part', text }
  }
  throw noQuestion(
    `The conversation does not fit the window, and the last message is longer than a question may be (${served.profile.budget.question} tokens)`,
  )
}

async function fitsQuestion(question: string, { model, profile, workflow }: ServedModel): Promise<boolean> {
  const most = profile.budget.question
  if (question.length > mostCharactersPerToken * most) return false
  const { markers } = promptsFor(workflow, profile.prompts)
  return (await tokenizerOf(model).count(createNeutralizer(markers)(question))) <= most
}

const tokenizerOf = ({ tokenizer }: ServedModel['model']) => tokenizer ?? createEstimateTokenizer()

const noMessages = () =>
  new RequestError({
    status: 400,
    code: 'server/no-messages',
    message: 'There are no messages.',
    param: 'messages',
  })

const nothingToRead = () =>
  new RequestError({
    status: 400,
    code: 'server/no-text',
    message:
      'There is a question and no text to read: this model answers from a text in the messages before it.',
    param: 'messages',
  })

const noQuestion = (why: string) =>
  new RequestError({
    status: 400,
    code: 'server/no-question',
    message: `${why}. Put the question into a message of its own at the end, into the last text part of that message, or into the field memagent.question.`,
    param: 'memagent.question',
  })

const questionTooLong = ({ profile }: ServedModel) =>
  new RequestError({
    status: 400,
    code: 'server/question-too-long',
    message: `The question has more than ${profile.budget.question} tokens.`,
    param: 'memagent.question',
  })
