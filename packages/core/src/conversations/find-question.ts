/** Finds the part of a conversation that is the question. It is never looked for in the text. */
import { isShown } from '../documents/require-text.ts'
import { ConversationError } from '../errors.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createNeutralizer } from '../workflows/prompts/neutralize.ts'
import { promptsFor } from '../workflows/prompts/prompts.ts'
import {
  type ConversationReader,
  type ConversationRequest,
  type ConversationTurn,
  saysAnything,
} from './conversation-turn.ts'

export interface FoundQuestion {
  readonly question: string
  readonly questionFrom: 'field' | 'last-message' | 'last-part'
  /** The rest, to be read. */
  readonly text: readonly ConversationTurn[]
}

/** Tokens are hardly ever longer, so a longer text need not be counted. */
export const mostCharactersPerToken = 16

/**
 * The first of these that exists: the question given by the client; the text of the last message, if it is the user's and fits;
 * the last text part of that message, if that fits. Files are always text to read.
 * @throws ConversationError if there is none, or the given one is empty or too long
 */
export async function findQuestion(
  { turns, question }: ConversationRequest,
  reader: ConversationReader,
): Promise<FoundQuestion> {
  if (question !== undefined) {
    if (!isShown(question)) throw noQuestion('The question is empty')
    if (!(await fitsQuestion(question, reader))) throw tooLong(reader)
    return { question, questionFrom: 'field', text: turns }
  }
  const at = turns.findLastIndex(saysAnything)
  const last = turns[at]!
  if (last.role !== 'user') throw noQuestion('The last message is not the user’s, so it is no question')
  const before = turns.slice(0, at)
  const texts = last.parts.filter((part) => typeof part === 'string')
  const files = last.parts.filter((part) => typeof part !== 'string')
  const without = (rest: ConversationTurn['parts']) =>
    rest.length === 0 ? before : [...before, { ...last, parts: rest }]
  const whole = texts.join('\n').trim()
  if (!isShown(whole)) {
    throw noQuestion(
      files.length > 0 ? 'The last message has files and no text' : 'The last message is empty',
    )
  }
  if (await fitsQuestion(whole, reader)) {
    return { question: whole, questionFrom: 'last-message', text: without(files) }
  }
  const part = texts.at(-1)!.trim()
  if (texts.length > 1 && isShown(part) && (await fitsQuestion(part, reader))) {
    const place = last.parts.lastIndexOf(texts.at(-1)!)
    const rest = last.parts.filter((_, i) => i !== place)
    return { question: part, questionFrom: 'last-part', text: without(rest) }
  }
  throw noQuestion(
    `The conversation does not fit the window, and the last message is longer than a question may be (${reader.profile.budget.question} tokens)`,
  )
}

/** Whether the question is within its budget, as it stands in a prompt. */
export async function fitsQuestion(
  question: string,
  { model, profile, workflow }: ConversationReader,
): Promise<boolean> {
  const most = profile.budget.question
  if (question.length > mostCharactersPerToken * most) return false
  const { markers } = promptsFor(workflow, profile.prompts)
  const tokenizer = model.tokenizer ?? createEstimateTokenizer()
  return (await tokenizer.count(createNeutralizer(markers)(question))) <= most
}

const noQuestion = (why: string) =>
  new ConversationError({
    code: 'conversation/no-question',
    message: `${why}.`,
    hint: 'Put the question into a message of its own at the end, or into the last text part of that message.',
  })

const tooLong = ({ profile }: ConversationReader) =>
  new ConversationError({
    code: 'conversation/question-too-long',
    message: `The question has more than ${profile.budget.question} tokens.`,
  })
