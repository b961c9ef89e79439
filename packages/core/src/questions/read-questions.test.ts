/** Several questions about one text, beyond the contract of workflows: what is shared, and what ends all of them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { ChatError, CheckpointError } from '../errors.ts'
import { type CheckpointStore, createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import { readDocument } from '../reading/reader.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { contractText, outcomeOf, type Responder, rehearse, respondByPrompt } from '../testing/rehearsal.ts'
import { rehearseQuestions } from '../testing/rehearse-questions.ts'
import { gatedExit } from '../workflows/gated/gated.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import { recall } from '../workflows/recall/recall.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { readQuestions } from './read-questions.ts'

const asWorkflow = (workflow: unknown) => workflow as Workflow
const overwriting = asWorkflow(overwrite)
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `What did Guest ${i} bring?`)

const alone = async (workflow: Workflow, respond: Responder, questions: readonly string[]) =>
  Promise.all(
    questions.map(async (question) => {
      const { events } = await rehearse({ workflow, respond, question })
      return JSON.parse(JSON.stringify(outcomeOf(events.at(-1)!)))
    }),
  )
const endsOf = ({ questions }: Awaited<ReturnType<typeof rehearseQuestions>>) =>
  questions.map(({ end }) => JSON.parse(JSON.stringify(end ?? null)))

describe('the text of several questions', () => {
  it('is opened once, also where they stopped at different chunks', async () => {
    const questions = numbered(5)
    const together = { workflow: overwriting, respond: respondByPrompt, questions }
    expect((await rehearseQuestions(together)).opened).toBe(1)
    const checkpoints = createMemoryCheckpointStore()
    const stopped = rehearseQuestions({ ...together, checkpoints, abortAtChunk: 22, concurrency: 2 })
    await expect(stopped).rejects.toThrow('stopped')
    const resumed = await rehearseQuestions({ ...together, checkpoints })
    expect(resumed.opened).toBe(1)
    expect(endsOf(resumed)).toEqual(await alone(overwriting, respondByPrompt, questions))
  })

  it('is opened once more to see that it is the same, whatever number of answers there is', async () => {
    const together = { workflow: overwriting, respond: respondByPrompt, questions: numbered(5) }
    const checkpoints = createMemoryCheckpointStore()
    await rehearseQuestions({ ...together, checkpoints })
    expect((await rehearseQuestions({ ...together, checkpoints })).opened).toBe(1)
  })

  it('is not held: a question whose calls are slow lets the others wait', async () => {
    const questions = numbered(2)
    const released: (() => void)[] = []
    let isReleased = false
    let others = 0
    const respond: Responder = async (call) => {
      if (call.prompt.includes('Guest 0 bring') && !isReleased)
        await new Promise<void>((resolve) => released.push(resolve))
      else others++
      return respondByPrompt(call)
    }
    const text = contractText(100)
    const reading = rehearseQuestions({ workflow: overwriting, respond, questions, text })
    await expect.poll(() => others, { timeout: 10_000 }).toBeGreaterThan(60)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(others).toBeLessThan(80)
    isReleased = true
    for (const release of released) release()
    const { questions: read } = await reading
    expect(read.every(({ end }) => end !== undefined)).toBe(true)
    expect(others).toBeGreaterThan(120)
  })
})

describe('a question among others', () => {
  it('may end early: the others read on', async () => {
    const respond: Responder = (call) => {
      if (call.conversation.tag.kind === 'answer') return respondByPrompt(call)
      const gate =
        call.prompt.includes('Guest 1 bring') && call.conversation.tag.step === 2 ? 'end' : 'continue'
      return `yes\n${respondByPrompt(call)}\n${gate}`
    }
    const questions = numbered(3)
    const workflow = asWorkflow(gatedExit)
    const { questions: read } = await rehearseQuestions({ workflow, respond, questions })
    const singly = await alone(workflow, respond, questions)
    expect(read.map(({ end }) => JSON.parse(JSON.stringify(end)))).toEqual(singly)
    expect(singly.map(({ unread }) => unread !== undefined)).toEqual([false, true, false])
    expect(singly.map(({ steps }) => steps === 3)).toEqual([false, true, false])
  })

  it('may have a memory that adapts, with chunks of its own', async () => {
    const respond: Responder = (call) => {
      if (call.conversation.tag.kind === 'answer') return respondByPrompt(call)
      return call.prompt.includes('Guest 1 bring')
        ? Array.from({ length: 40 }, (_, i) => `word${(i * 7 + call.prompt.length) % 90}`).join(' ')
        : respondByPrompt(call)
    }
    const profile = { ...contractProfile, adaptsMemory: true }
    const model = () =>
      createScriptedModel(
        async ({ messages, index }) => {
          const prompt = messages.map(({ content }) => content).join('\n')
          const kind = prompt.includes('<section>') ? 'update' : 'answer'
          const conversation = { messages, maxTokens: 40, tag: { kind, step: 0 } }
          return respond({ conversation, prompt, index, chunk: 0, isMemory: true })
        },
        { profile, contextWindow: profile.budget.window },
      )
    const budgets: (readonly [number, number])[] = []
    const ends: Record<number, unknown> = {}
    const document = createTextDocument(contractText(20))
    const questions = numbered(3).map((text) => ({ text }))
    for await (const event of readQuestions({ questions, document, model: model() })) {
      if (event.type === 'budget-change') budgets.push([event.question, event.memory])
      if (event.type === 'answer') ends[event.question] = [event.answer.text, event.steps]
    }
    expect(budgets.map(([question]) => question)).toEqual(budgets.map(() => 1))
    expect(budgets.length).toBeGreaterThan(0)
    for (const [i, { text: question }] of questions.entries()) {
      for await (const event of readDocument({ question, document, model: model() })) {
        if (event.type === 'answer') expect(ends[i]).toEqual([event.answer.text, event.steps])
      }
    }
  })

  it('is named where it is too long, before anything is asked', async () => {
    const model = createScriptedModel([], { profile: contractProfile })
    const long = { text: 'why '.repeat(81), place: 'line 7 of q.txt' }
    const reading = readQuestions({
      questions: [{ text: 'Who?' }, long],
      document: createTextDocument('a'),
      model,
    })
    await expect(reading.next()).rejects.toMatchObject({
      code: 'reading/question-too-long',
      message: 'Question 2 (line 7 of q.txt): The question has 81 tokens; the budget allows 80.',
      details: { question: 1 },
    })
    expect(model.calls).toEqual([])
  })
})

describe('what concerns all questions', () => {
  const together = { workflow: overwriting, questions: numbered(3) }

  it('is thrown where none could be answered', async () => {
    const respond: Responder = () => new ChatError({ code: 'test/gone', message: 'The server is gone.' })
    await expect(rehearseQuestions({ ...together, respond })).rejects.toMatchObject({ code: 'test/gone' })
  })

  it('is a limit on calls: of all of them, and resumed with what was spent', async () => {
    const whole = (await rehearseQuestions({ ...together, respond: respondByPrompt })).conversations.length
    const checkpoints = createMemoryCheckpointStore()
    let calls = 0
    const respond: Responder = (call) => {
      calls++
      return respondByPrompt(call)
    }
    for (const maxCalls of [5, 6, 20]) {
      const reading = rehearseQuestions({ ...together, respond, checkpoints, limits: { maxCalls } })
      await expect(reading).rejects.toMatchObject({ code: 'reading/limit-calls' })
      expect(calls).toBe(maxCalls)
    }
    const ended = await rehearseQuestions({ ...together, respond, checkpoints, limits: { maxCalls: whole } })
    expect(calls).toBe(whole)
    expect(endsOf(ended)).toEqual(await alone(overwriting, respondByPrompt, together.questions))
  })

  it('is a checkpoint of other questions', async () => {
    const checkpoints = createMemoryCheckpointStore()
    await rehearseQuestions({ ...together, respond: respondByPrompt, checkpoints })
    const others = { ...together, questions: numbered(2), respond: respondByPrompt, checkpoints }
    await expect(rehearseQuestions(others)).rejects.toMatchObject({ code: 'checkpoint/of-another-run' })
    await expect(
      rehearse({ workflow: overwriting, respond: respondByPrompt, question: numbered(1)[0]!, checkpoints }),
    ).rejects.toMatchObject({ code: 'checkpoint/of-another-run' })
  })

  it('is a damaged checkpoint', async () => {
    const checkpoints = createMemoryCheckpointStore()
    await rehearseQuestions({ ...together, respond: respondByPrompt, checkpoints })
    for (const state of [null, { questions: [] }, { questions: [1, 2, 3] }, { questions: 'three' }]) {
      const damaged = {
        ...checkpoints,
        load: async () => ({ ...(await checkpoints.load())!, state }),
      }
      await expect(
        rehearseQuestions({ ...together, respond: respondByPrompt, checkpoints: damaged }),
      ).rejects.toMatchObject({ code: 'checkpoint/damaged' })
    }
  })

  it('does not go on after the one who listens has left', async () => {
    let calls = 0
    const model = createScriptedModel(() => `Noted ${++calls}.`, { profile: contractProfile })
    const questions = numbered(3).map((text) => ({ text }))
    for await (const event of readQuestions({
      questions,
      document: createTextDocument(contractText(9)),
      model,
    })) {
      if (event.type === 'chunk-end') break
    }
    const made = calls
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(calls).toBe(made)
  })
})

/** A store whose process is killed at a write; nothing is written from then on. */
function mortal(store: CheckpointStore, writes: number): CheckpointStore {
  let left = writes
  const write = async (work: () => Promise<void>) => {
    if (left-- <= 0) throw new CheckpointError({ code: 'test/killed', message: 'killed' })
    await work()
  }
  return {
    ...store,
    isWrittenFirst: true,
    keepsEvents: true,
    save: (checkpoint) => write(() => store.save(checkpoint)),
    append: (entries) => write(() => store.append(entries)),
  }
}

describe('several questions, killed at any write', () => {
  it.each([
    ['overwrite', overwriting, respondByPrompt],
    [
      'recall',
      asWorkflow(recall),
      ((call) =>
        call.conversation.tag.kind === 'answer'
          ? respondByPrompt(call)
          : `<update>${respondByPrompt(call)}</update>\n<recall>Noted</recall>`) satisfies Responder,
    ],
  ])(
    'come to the same with %s, and no more is asked again than was under way',
    async (_, workflow, reply) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 6 }),
          fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 1, max: 4 }),
          async (count, kills, concurrency) => {
            let calls = 0
            const respond: Responder = async (call) => {
              calls++
              await new Promise((resolve) => setTimeout(resolve, (call.prompt.length * 7) % 3))
              return reply(call)
            }
            const questions = numbered(count)
            const together = { workflow, respond, questions, concurrency, text: contractText(4) }
            const singly = await rehearseQuestions(together)
            const whole = calls
            calls = 0
            const store = createMemoryCheckpointStore()
            for (const writes of kills) {
              const checkpoints = mortal(store, writes)
              await rehearseQuestions({ ...together, checkpoints }).catch((error: Error) =>
                expect(error.message).toBe('killed'),
              )
            }
            const ended = await rehearseQuestions({ ...together, checkpoints: store })
            expect(endsOf(ended)).toEqual(endsOf(singly))
            expect(calls).toBeLessThanOrEqual(whole + kills.length * count)
          },
        ),
        { numRuns: 15 },
      )
    },
  )
})

it('a thousand questions are answered in their order', async () => {
  const questions = numbered(1000)
  const { questions: read } = await rehearseQuestions({
    workflow: overwriting,
    respond: respondByPrompt,
    questions,
    text: contractText(1),
    checkpoints: createMemoryCheckpointStore(),
  })
  expect(read.every(({ end }) => end !== undefined)).toBe(true)
  const some = [0, 499, 999]
  const singly = await Promise.all(
    some.map(async (i) => {
      const { events } = await rehearse({
        workflow: overwriting,
        respond: respondByPrompt,
        question: questions[i]!,
        text: contractText(1),
      })
      return outcomeOf(events.at(-1)!)
    }),
  )
  expect(some.map((i) => read[i]!.end)).toEqual(singly)
})
