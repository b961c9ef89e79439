/** A minimal task, model and methods for tests of the runner. */
import { createScriptedModel, createTextDocument, type Script } from '@memagent/core'
import type { Task } from '@memagent/tasks'
import type { Method } from '../../method.ts'
import { Meter } from '../../methods/meter.ts'
import type { BenchPlan, PlannedTask } from '../plan.ts'

/** Asks for a number that is the same at every length; the document states it once among filler. */
export const numberTask = (name = 'number'): Task => ({
  name,
  async sample({ index, seed, lengthTokens }) {
    const code = String(1000 + 7 * index + 100 * seed)
    const text = `${'filler '.repeat(lengthTokens)}The code of ${name} ${index} is ${code}.`
    return {
      id: `${name}/seed-${seed}/index-${index}/tokens-${lengthTokens}`,
      question: `What is the code of ${name} ${index} (seed ${seed})?`,
      document: createTextDocument(text, 'made'),
      references: [code],
      match: 'any',
      evidence: [{ startByte: Buffer.byteLength(text) - 5, endByte: Buffer.byteLength(text) - 1 }],
      labels: { depth: 1 },
    }
  },
  score: ({ references }, answer) => ({
    strict: answer === references[0] ? 1 : 0,
    lenient: answer?.includes(references[0]!) ? 1 : 0,
  }),
})

/** One call: question and document in one prompt; the response is the answer. */
export const askOnce = (name = 'ask'): Method => ({
  name,
  description: 'one call',
  async answer({ question, document, model, signal }) {
    const meter = new Meter(model)
    let text = ''
    for await (const piece of document.open(signal)) text += piece.text
    const messages = [{ role: 'user', content: `${question}\n${text}` }] as const
    const { text: response } = await meter.model.generate(messages, { maxTokens: 100, signal })
    const found = response !== 'unknown'
    return {
      answer: { text: found ? response : '', outcome: found ? 'found' : 'not-found', response },
      usage: meter.usage,
      trace: [],
      steps: 1,
      seen: undefined,
    }
  },
  estimate: (lengthTokens) => ({ calls: 1, promptTokens: lengthTokens + 10, completionTokens: 5 }),
})

/** Reads the number from the prompt. */
export const rightAnswers: Script = ({ messages }) => {
  const [, code] = / is (\d+)\.$/.exec(messages[0]!.content) ?? []
  return code ?? 'unknown'
}

export const plannedTask = (
  task: Task,
  lengths: Readonly<Record<number, number>> = { 8: 3 },
): PlannedTask => ({
  name: task.name,
  task,
  lengths: Object.entries(lengths).map(([length, samples]) => ({ lengthTokens: Number(length), samples })),
})

/** By default, three questions of eight tokens, answered correctly by one method. */
export function madePlan(parts: Partial<BenchPlan> & { readonly script?: Script } = {}): BenchPlan {
  const { script = rightAnswers, ...rest } = parts
  return {
    tasks: [plannedTask(numberTask())],
    methods: [{ method: askOnce() }],
    model: createScriptedModel(script),
    ...rest,
  }
}

/** Two tasks, two lengths, three methods: 24 samples. */
export const wide = (parts: Partial<BenchPlan> & { readonly script?: Script } = {}) =>
  madePlan({
    tasks: [plannedTask(numberTask('a'), { 8: 2, 20: 2 }), plannedTask(numberTask('b'), { 20: 2, 8: 2 })],
    methods: ['one', 'two', 'three'].map((name) => ({ method: askOnce(name) })),
    ...parts,
  })
