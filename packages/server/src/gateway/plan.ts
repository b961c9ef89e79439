/** Plans how to answer a conversation, or refuses it. */
import {
  ConversationError,
  type ConversationPlan,
  type ConversationTurn,
  planConversation,
} from '@memagent/core'
import { RequestError } from '../request-error.ts'
import type { ServedModel } from '../served-model.ts'
import type { ProtocolRequest } from './protocol.ts'

export type { ConversationPlan as Plan, DirectPlan, ReadingPlan } from '@memagent/core'

/**
 * @param turns of the request, with their files opened
 * @throws RequestError 400 if the text exceeds the window and has no recognizable question
 */
export async function planOf(
  request: ProtocolRequest,
  turns: readonly ConversationTurn[],
  served: ServedModel,
  signal: AbortSignal,
): Promise<ConversationPlan> {
  try {
    return await planConversation({ ...request, turns }, served, signal)
  } catch (error) {
    throw ConversationError.isInstance(error) ? refusalOf(error, request) : error
  }
}

const field = 'memagent.question'

function refusalOf({ code, message }: ConversationError, { turnsField }: ProtocolRequest): RequestError {
  const kind = code.replace('conversation/', '')
  const advice = `Put the question into a message of its own at the end, into the last text part of that message, or into the field ${field}.`
  return new RequestError({
    status: 400,
    code: `server/${kind}`,
    message: kind === 'no-question' ? `${message} ${advice}` : message,
    param: kind.includes('question') ? field : turnsField,
  })
}
