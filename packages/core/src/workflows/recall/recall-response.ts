/**
 * Asks for a new memory. The form is strict: one `<update>`, at most one `<recall>` after it, and nothing else but thinking
 * before them and a code fence round the whole. Nothing is taken from a response that has another form, is empty, is a refusal or
 * was cut.
 */
import type { Message } from '../../chat/message.ts'
import { readsAsRefusal } from '../answer/refusal.ts'
import { flawOf, type ResponseFlaw } from '../answer/response-flaw.ts'
import { emptiesMemory } from '../rewritten-memory.ts'
import type { ConversationTag, ReadingContext } from '../workflow.ts'

export interface WrittenMemory {
  /** Not blank, trimmed, neutralized, and within its budget. */
  readonly memory: string
  /** What to look up among old memories; undefined for nothing. */
  readonly query: string | undefined
}

interface Unusable {
  /** Continues "it". */
  readonly problem: string
  /** Undefined if malformed. */
  readonly kind?: ResponseFlaw['kind']
}

const tags = /<\/?(?:thinking|update|recall)>/g
const fence = /^```\w*[^\S\n]*\n(.*?)\n?```$/s
const thinking = { start: '<thinking>', end: '</thinking>' }

/** The memory in a response, or why its form is wrong. */
export function parseRewrite(response: string): WrittenMemory | Unusable {
  const whole = response.trim()
  const text = (fence.exec(whole)?.[1] ?? whole).trim()
  const isThinking = text.startsWith(thinking.start)
  const end = text.indexOf(thinking.end)
  if (isThinking && end < 0) return { problem: 'does not end its thinking' }
  const written = isThinking ? text.slice(end + thinking.end.length).trim() : text
  const [, update, recall] = /^<update>(.*)<\/update>(?:\s*<recall>(.*)<\/recall>)?$/s.exec(written) ?? []
  const blocks = `<update></update>${recall === undefined ? '' : '<recall></recall>'}`
  if (update === undefined || (written.match(tags) ?? []).join('') !== blocks) {
    return { problem: 'is not one <update>...</update> with at most one <recall>...</recall> after it' }
  }
  if (update.trim() === '') return { problem: 'has nothing in its <update>' }
  return { memory: update.trim(), query: recall?.trim() || undefined }
}

const flawCodes = { refused: 'memory-refused', empty: 'memory-empty', cut: 'recall-cut' } as const

/**
 * The memory in a response; undefined, with a warning, if it cannot be used.
 * @param empties whether a memory says nothing although something is noted
 */
export async function requestRewrite(
  messages: readonly Message[],
  tag: ConversationTag,
  empties: (memory: string) => boolean,
  context: ReadingContext,
): Promise<WrittenMemory | undefined> {
  const { budget } = context
  const result = await context.chat({ messages, maxTokens: budget.memory, tag })
  const flaw = flawOf(result, budget.memory, tag.step, context)
  const response = flaw ?? (await usable(parseRewrite(result.text), context))
  const isEmptied = 'memory' in response && empties(response.memory)
  const written = isEmptied ? ({ kind: 'empty', problem: emptiesMemory } as const) : response
  if ('memory' in written) return written
  context.emit({
    type: 'warning',
    step: tag.step,
    code: written.kind ? flawCodes[written.kind] : 'recall-malformed',
    message: `The response cannot be used, and the previous memory is kept: it ${written.problem}.`,
    malformed: tag,
  })
  return undefined
}

async function usable(
  parsed: WrittenMemory | Unusable,
  { neutralize, countTokens, budget }: ReadingContext,
): Promise<WrittenMemory | Unusable> {
  if ('problem' in parsed) return parsed
  if (readsAsRefusal(parsed.memory)) return { kind: 'refused', problem: 'writes a refusal for a memory' }
  const memory = neutralize(parsed.memory)
  if ((await countTokens(memory)) > budget.memory)
    return { kind: 'cut', problem: 'writes a memory over its budget' }
  return { ...parsed, memory }
}
