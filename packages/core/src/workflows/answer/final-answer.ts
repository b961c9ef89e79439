/**
 * The final call of a reading, and how its response is judged. A response without an answer is never taken for "not in the text":
 * the reader asks again, with all the room that the window leaves, and then fails.
 */
import type { ChatResult, FinishReason } from '../../chat/chat.ts'
import type { Message } from '../../chat/message.ts'
import { ChatError, NoAnswerError } from '../../errors.ts'
import type { Answer, ReadingContext } from '../workflow.ts'
import { readsAsAbsence } from './absence.ts'
import { boxedTexts, endsInOpenBox, lastBoxed, notFoundPhrase, parseAnswer } from './boxed.ts'
import { readsAsRefusal } from './refusal.ts'
import { asksForTool, unknownEnd } from './response-flaw.ts'

/** A stable code, and a sentence for people. */
interface Remark {
  readonly code: string
  readonly message: string
}

export interface ResponseVerdict {
  readonly answer: Answer
  /** Why the response contains no answer. */
  readonly flaw?: (Remark & { readonly hint: string }) | undefined
  /** Why the answer it contains may be wrong. */
  readonly doubts: readonly Remark[]
  /** It was cut after a "not in the text" that may be quoted from the prompt. @default false */
  readonly mayQuote?: boolean | undefined
}

const cutBehindQuote: Remark = {
  code: 'answer-cut',
  message:
    'The final response was cut off behind a box with the words of the prompt, maybe before its answer.',
}

const moreRoom =
  'It had the whole window: switch thinking off on the server, or read with a larger --window (in code: budget.window).'
const endedThinking =
  'It ended by itself, so more room would not help: switch thinking off on the server, and check that the server does not classify the answer as reasoning (vLLM, SGLang: --reasoning-parser).'
const anotherModel = 'Another wording of the question, or another model, may help.'
const withoutTools = 'Serve the model without tools.'
const asChatModel = 'Is it a chat model, served with its chat template?'

/** What verifiers score: undefined for "not in the text", the empty text for an unusable response. */
export const statedAnswer = ({ text, isUnusable }: Answer): string | undefined =>
  text === '' && !isUnusable ? undefined : text

export function judgeResponse(result: ChatResult): ResponseVerdict {
  const { text: response, finishReason } = result
  const flaw = flawOf(result)
  if (flaw) {
    return {
      answer: { text: '', outcome: 'unsure', response, finishReason, isUnusable: true },
      flaw,
      doubts: [],
    }
  }
  const { text, found, source } = parseAnswer(response)
  const doubts: Remark[] = []
  if (source !== 'box') {
    const taken = source === 'open-box' ? 'what follows its start' : 'the whole response'
    doubts.push({
      code: 'answer-without-box',
      message: `The final response has no whole \\boxed{...}; ${taken} is taken as the answer.`,
    })
  } else if (mayGoOn(result)) {
    doubts.push({
      code: 'answer-cut',
      message: `${whyItEnds(finishReason)} behind the answer, which it may have been about to change.`,
    })
  }
  const boxed = source === 'box' ? boxedTexts(response) : []
  if (boxed.length > 1) {
    doubts.push({
      code: 'answer-several-boxes',
      message: `The final response has several boxes, of which the last is taken as the answer: ${listed(boxed)}.`,
    })
  }
  // An empty box says nothing, not even that the text does not answer.
  const isUnusable = lastBoxed(response) === ''
  if (isUnusable) {
    doubts.push({ code: 'answer-empty', message: 'The box of the final response is empty.' })
  }
  if (readsAsRefusal(text)) {
    doubts.push({ code: 'answer-refused', message: 'The answer reads like a refusal.' })
  }
  if (found && source === 'box' && readsAsAbsence(text)) {
    const message = 'The answer reads as if there were none, in other words than those that were asked for.'
    doubts.push({ code: 'answer-absent', message })
  }
  const outcome = doubts.length > 0 ? 'unsure' : found ? 'found' : 'not-found'
  const answer: Answer = { text, outcome, response, finishReason, ...(isUnusable ? { isUnusable } : {}) }
  return { answer, doubts, mayQuote: mayGoOn(result) && !found && boxed.length === 1 }
}

/** Short enough for a message of a line or two. */
function listed(texts: readonly string[]): string {
  const all = Array.from(texts.map((text) => `"${text.replace(/\s+/g, ' ')}"`).join(', '))
  return all.length > 300 ? `${all.slice(0, 300).join('')}…` : all.join('')
}

/** Whether something may be missing behind a whole box. */
function mayGoOn({ text, finishReason }: ChatResult): boolean {
  if (finishReason.unified === 'length' || asksForTool(finishReason)) return true
  return finishReason.unified === 'other' && /[\p{L}\p{N}]/u.test(text.slice(text.lastIndexOf('}') + 1))
}

function whyItEnds(reason: FinishReason): string {
  if (reason.unified === 'length') return 'The final response reached its token limit'
  return asksForTool(reason) ? 'The model asked for a tool' : unknownEnd(reason)
}

/** Undefined when the response can contain an answer. */
function flawOf({ text, reasoning, finishReason }: ChatResult): ResponseVerdict['flaw'] {
  const { unified, raw } = finishReason
  const hasBox = lastBoxed(text) !== undefined
  if (unified === 'refusal') {
    return {
      code: 'answer-refused',
      message: `The model refused to answer${raw === undefined || raw === 'stop' ? '' : ` (${raw})`}.`,
      hint: anotherModel,
    }
  }
  if (asksForTool(finishReason) && !hasBox) {
    return {
      code: 'answer-tool-call',
      message: 'The model asked for a tool instead of answering.',
      hint: withoutTools,
    }
  }
  if (text.trim() === '') {
    if ((reasoning ?? '').trim() !== '') {
      return {
        code: 'answer-thinking',
        message: 'The final response is only reasoning, without an answer.',
        hint: unified === 'stop' ? endedThinking : moreRoom,
      }
    }
    return unified === 'length'
      ? {
          code: 'answer-cut',
          message: 'The final response reached its token limit before any text.',
          hint: moreRoom,
        }
      : { code: 'answer-empty', message: 'The final response is empty.', hint: asChatModel }
  }
  // Some servers give no finish reason, so a box that is still open may have been cut, too.
  const isCut = endsInOpenBox(text) ? unified !== 'stop' : !lastBoxed(text) && unified === 'length'
  if (isCut) {
    return {
      code: 'answer-cut',
      message: 'The final response was cut off in the middle of its answer.',
      hint: moreRoom,
    }
  }
  if (!hasBox && readsAsRefusal(text)) {
    return { code: 'answer-refused', message: 'The final response is a refusal.', hint: anotherModel }
  }
  return undefined
}

/**
 * Asks for the answer. Asks again, with all the room that the window leaves beside the prompt and the caller allows, if the response contains no answer
 * or was cut after quoting the prompt. If silence is accepted, the first response is used as it is.
 * @throws NoAnswerError if there is still no answer; what the call throws
 */
export async function askForAnswer(
  messages: readonly Message[],
  step: number,
  context: ReadingContext,
): Promise<Answer> {
  const { budget, acceptsSilence, mostAnswerTokens: most = Number.POSITIVE_INFINITY } = context
  const warn = ({ code, message }: Remark) => context.emit({ type: 'warning', step, code, message })
  const ask = (maxTokens: number) => context.chat({ messages, maxTokens, tag: { step, kind: 'answer' } })
  const result = await ask(budget.output)
  let verdict = judgeResponse(result)
  let cause: unknown
  let allowed = budget.output
  const reason = verdict.flaw ?? (verdict.mayQuote ? cutBehindQuote : undefined)
  if (reason && !acceptsSilence) {
    const room = await context.roomBeside(messages)
    const reported = result.usage?.promptTokens ?? 0
    allowed = Math.max(budget.output, Math.min(room, budget.window - reported, most))
    const more = allowed > budget.output ? `, with ${allowed} tokens of room instead of ${budget.output}` : ''
    warn({
      code: 'answer-asked-again',
      message: `${reason.message} The answer is asked for once more${more}.`,
    })
    try {
      const second = judgeResponse(await ask(allowed))
      if (verdict.flaw || !second.flaw) verdict = second
    } catch (error) {
      // The server rejects that many tokens: report what was wrong with the first response.
      if (context.signal.aborted || !ChatError.isInstance(error) || error.isRetryable) throw error
      cause = error
      allowed = budget.output
    }
  }
  const { response = '', outcome } = verdict.answer
  if (outcome === 'not-found' && repeatsPrompt(response, messages)) {
    const answer = { ...verdict.answer, outcome: 'unsure' } as const
    verdict = {
      answer,
      doubts: [{ code: 'answer-quoted', message: 'The final response repeats the prompt.' }],
    }
  }
  for (const doubt of verdict.doubts) warn(doubt)
  if (verdict.flaw && acceptsSilence) warn(verdict.flaw)
  else if (verdict.flaw) {
    const isBounded = verdict.flaw.hint === moreRoom && allowed === most
    const hint = isBounded
      ? `It had the ${most} tokens that were asked for: allow it more.`
      : verdict.flaw.hint
    const flaw = { ...verdict.flaw, hint }
    throw noAnswer({ ...verdict, flaw }, step, cause, isBounded ? most : undefined)
  }
  return verdict.answer
}

/** Whether every "not in the text" follows the same words as one in the prompt. */
function repeatsPrompt(response: string, messages: readonly Message[]): boolean {
  const wordsBefore = (text: string) =>
    text
      .split(`\\boxed{${notFoundPhrase}}`)
      .slice(0, -1)
      .map((part) => part.slice(-20))
  const asked = messages.flatMap(({ content }) => wordsBefore(content))
  const said = wordsBefore(response)
  return said.length > 0 && said.every((words) => asked.includes(words))
}

function noAnswer(
  { flaw, answer }: ResponseVerdict,
  step: number,
  cause: unknown,
  mostAnswerTokens: number | undefined,
): NoAnswerError {
  const second = cause === undefined ? '' : ` The second attempt failed: ${(cause as Error).message}`
  return new NoAnswerError({
    code: `chat/${flaw!.code}`,
    message: `${flaw!.message}${second}`,
    hint: `${flaw!.hint} If a run or a checkpoint is kept, it has the notes; resuming it asks for the answer alone.`,
    details: {
      step,
      finishReason: answer.finishReason,
      response: answer.response?.slice(0, 500),
      ...(mostAnswerTokens !== undefined && { mostAnswerTokens }),
    },
    cause,
  })
}
