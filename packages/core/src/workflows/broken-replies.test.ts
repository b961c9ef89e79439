/** Every workflow with a model that breaks the form of its replies in every way that models do. */
import { describe, expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { MemAgentError } from '../errors.ts'
import type { ReadingEvent } from '../reading/events.ts'
import { readDocument } from '../reading/reader.ts'
import { type Breakage, breakages } from '../testing/breakages.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { assertSameStructure } from '../testing/prompt-structure.ts'
import { promptsFor } from './prompts/prompts.ts'
import { workflowNamed, workflowNames } from './registry.ts'
import {
  carefulReply,
  factsIn,
  gateAnswer,
  gateFact,
  gateQuestion,
  sectionOf,
} from './testing/careful-model.ts'
import type { Conversation } from './workflow.ts'

const words = ['amber', 'cedar', 'flint']
const days = (from: number) => Array.from({ length: 24 }, (_, i) => `Nothing else came on day ${from + i}.`)
const text = words.flatMap((word, i) => [...days(100 * i), gateFact(i + 1, word)]).join(' ')
const budget = { window: 900, question: 80, chunk: 60, memory: 96, output: 60 }
const profile = { ...contractProfile, budget }

/** These take any text as a memory; so do the merges of `parallel`. */
const takingAnyText = new Set(['overwrite', 'slots', 'skim'])
const takesAnyText = (name: string, prompt: string) => takingAnyText.has(name) || prompt.includes('<reports>')

/** Which replies are broken. */
const patterns = {
  'every note': ({ isAnswer }) => !isAnswer,
  'every other note': ({ isAnswer, index }) => !isAnswer && index % 2 === 1,
  'the note about the second gate': ({ section }) => section.includes(gateFact(2, words[1]!)),
  'the answer': ({ isAnswer }) => isAnswer,
  everything: () => true,
} satisfies Record<string, (call: Call) => boolean>

interface Call {
  readonly index: number
  readonly section: string
  readonly isAnswer: boolean
}

async function readBroken(name: string, isBroken: (call: Call) => boolean, breakage?: Breakage) {
  const workflow = await workflowNamed(name)
  const conversations: Conversation[] = []
  const events: ReadingEvent[] = []
  let [broken, isBelieved] = [0, false]
  const model = createScriptedModel(
    ({ messages, index }) => {
      const prompt = messages.at(-1)!.content
      const section = sectionOf(prompt)
      const good = carefulReply(name, prompt)
      if (!breakage || !isBroken({ index, section, isAnswer: good.startsWith('\\boxed') })) return good
      broken++
      isBelieved ||= breakage.says === 'else' && takesAnyText(name, prompt)
      return breakage.reply(good, { prompt, section })
    },
    { profile, contextWindow: budget.window },
  )
  const error = await (async () => {
    for await (const event of readDocument({
      question: gateQuestion,
      document: createTextDocument(text),
      model,
      workflow,
      onConversation: (conversation) => conversations.push(conversation),
    })) {
      events.push(event)
    }
  })().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const end = events.at(-1)
  const memories = events.flatMap((event) => (event.type === 'memory-end' ? [event] : []))
  const warnings = events.filter(({ type }) => type === 'warning')
  const { markers } = promptsFor(workflow, undefined)
  return {
    end: end?.type === 'answer' ? end : undefined,
    ...{ error, broken, isBelieved, memories, warnings, conversations, markers, model },
  }
}

describe.each(workflowNames)('%s', (name) => {
  const unbroken = readBroken(name, () => false)

  it('answers in full when nothing is broken', async () => {
    const { end, warnings } = await unbroken
    expect(end?.answer).toMatchObject({ text: gateAnswer(words), outcome: 'found' })
    expect(warnings).toEqual([])
  })

  it.each(breakages.map((breakage) => [breakage.name, breakage] as const))(
    'is honest with %s',
    async (_, breakage) => {
      const whole = await unbroken
      for (const [place, isBroken] of Object.entries(patterns)) {
        const read = await readBroken(name, isBroken, breakage)
        const { end, error, memories, warnings } = read
        expect(read.broken, place).toBeGreaterThan(0)
        // It ends with an answer, or with an error that says what the model did.
        if (end === undefined) {
          if (!MemAgentError.isInstance(error)) throw error
          expect(error.code, place).toMatch(/^chat\/(?:nothing-said|answer-)/)
        }
        assertSameStructure(read.conversations, whole.conversations, read.markers)
        const isTold = error !== undefined || warnings.length > 0
        if (breakage.says === 'nothing') expect(isTold, place).toBe(true)

        // A model that writes something wrong in the right form is believed.
        const { isBelieved } = read
        for (const { memory, previous } of memories) {
          expect(read.model.tokenizer!.count(memory), place).toBeLessThanOrEqual(budget.memory)
          if (!isBelieved) expect(factsIn(memory), place).toEqual(expect.arrayContaining(factsIn(previous)))
        }
        if (!isBelieved) expect(end?.answer.outcome, place).not.toBe('not-found')
        const isWrong = breakage.says === 'else' && isBroken({ index: 1, section: '', isAnswer: true })
        if (!isTold && !isBelieved && !isWrong) expect(end?.answer.text, place).toBe(gateAnswer(words))
      }
    },
  )
})
