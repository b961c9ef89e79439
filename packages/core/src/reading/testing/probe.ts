/**
 * A workflow, a model and a text for testing the order in which chunks are asked about. The model's replies depend on every
 * character of a prompt and on its seed, so a step taken from another memory shows.
 */
import type { ChatModel } from '../../chat/chat.ts'
import { createScriptedModel } from '../../chat/scripted.ts'
import type { TextDocument } from '../../documents/document.ts'
import { MemAgentError } from '../../errors.ts'
import { definePrompts } from '../../workflows/prompts/prompts.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { hashOf } from '../text-hash.ts'

type ProbeState = { readonly question: string | null; readonly memory: string; readonly steps: number }

const prompts = definePrompts({
  conversations: { update: ['memory', 'section'], check: ['memory', 'section'], answer: ['memory'] },
  texts: {},
  sets: {
    paper: {
      templates: {
        update: 'update {memory}</m> {section}</s>',
        check: 'check {memory}</m> {section}</s>',
        answer: 'answer {memory}</m>',
      },
    },
  },
})

/** Some steps take one call, some four; some emit warnings, some end the reading. */
export const probe: Workflow<ProbeState, typeof prompts> = {
  name: 'probe',
  prompts,
  callsPerChunk: 4,
  init: (question) => ({ question: question ?? null, memory: 'nothing', steps: 0 }),
  isState: (value): value is ProbeState => typeof (value as ProbeState).memory === 'string',
  memory: ({ memory }) => memory,
  unchanged: (state) => ({ ...state, steps: state.steps + 1 }),
  async read(state, chunk, context) {
    const { memory: previous, steps: step } = state
    const parts = { memory: previous, section: context.neutralize(chunk.text) }
    const messages = context.prompts.messages('update', parts)
    const { text } = await context.chat({ messages, maxTokens: 10, tag: { step, kind: 'update' } })
    const next = { ...state, steps: step + 1 }
    if (text.startsWith('odd'))
      context.emit({ type: 'warning', step, code: 'odd', message: `${text} at ${step}` })
    if (text.startsWith('end')) return { state: next, done: true }
    const memory = text.startsWith('news') ? text : previous
    if (memory !== previous) {
      await context.chatAll(
        [0, 1, 2].map((slot) => ({
          messages: context.prompts.messages('check', { ...parts, memory: `${memory} ${slot}` }),
          maxTokens: 10,
          tag: { step, kind: 'check', slot },
        })),
      )
    }
    context.emit({
      type: 'memory-end',
      step,
      memory,
      previous,
      changed: memory !== previous,
      origin: 'sampled',
      tokens: 2,
    })
    return { state: { ...next, memory } }
  },
  async answer({ memory, steps }, _, context) {
    const messages = context.prompts.messages('answer', { memory })
    const { text } = await context.chat({ messages, maxTokens: 10, tag: { step: steps, kind: 'answer' } })
    return { text, outcome: 'found' }
  },
}

/** Percentages; which calls they hit depends on prompt and seed. */
export interface ProbeHabits {
  readonly changes: number
  readonly ends: number
  readonly fails: number
  /** Selects one of many models with the same habits. */
  readonly salt: number
}

export interface ProbeModel extends ChatModel {
  /** Calls that ended with a response. */
  readonly answered: number
}

/** @param onCall called with the number of a call, from 1, when it begins and when it ends */
export function probeModel(
  { changes, ends, fails, salt }: ProbeHabits,
  onCall: (call: number) => void = () => undefined,
): ProbeModel {
  let answered = 0
  const scripted = createScriptedModel(
    async ({ messages, options, index }) => {
      onCall(index + 1)
      const id = hashOf(`${salt} ${options.seed} ${messages[0]!.content}`)
      const roll = (nth: number) => Number.parseInt(id.slice(3 * nth, 3 * nth + 3), 16) % 100
      for (let turns = roll(0) % 4; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
      if (options.signal?.aborted) return new Promise(() => undefined)
      if (roll(1) < fails) {
        // Of several concurrent calls, any may be the first to fail.
        const place = messages[0]!.content.replace(/ .*<\/m>/, '')
        return new MemAgentError({ code: 'probe/failed', message: `failed at ${place}` })
      }
      answered++
      onCall(index + 1)
      if (roll(2) < ends) return 'end'
      if (roll(3) < changes) return `news ${id.slice(0, 6)}`
      return roll(4) < 20 ? `odd ${id.slice(0, 2)}` : 'same'
    },
    {
      name: 'probe',
      profile: {
        name: 'probe',
        budget: { window: 100, question: 20, chunk: 4, memory: 10, output: 10 },
        sampling: { temperature: 0.7 },
      },
    },
  )
  return {
    ...scripted,
    get answered() {
      return answered
    },
  }
}

/** A text of one chunk per sentence, which arrive one by one. */
export function probeText(chunks: number, turns: number): TextDocument {
  const sentences = Array.from({ length: chunks }, (_, i) => `Sentence ${i} is here. `)
  return {
    name: 'text',
    sizeBytes: sentences.join('').length,
    isReopenable: true,
    async *open() {
      let offsetBytes = 0
      for (const [i, text] of sentences.entries()) {
        for (let turn = (turns * (i + 1)) % 3; turn > 0; turn--)
          await new Promise((resolve) => setImmediate(resolve))
        yield { text, source: 'text', offsetBytes, lengthBytes: text.length }
        offsetBytes += text.length
      }
    },
    fingerprint: async () => `text of ${chunks}`,
  }
}
