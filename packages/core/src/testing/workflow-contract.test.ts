/** A contract that nothing fails proves nothing: each of these workflows breaks one rule, and is caught. */
import { describe, expect, it } from 'vitest'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import type { Json, Workflow } from '../workflows/workflow.ts'
import { workflowContract } from './workflow-contract.ts'

type State = { readonly question: string | null; readonly memory: string | null; readonly steps: number }
const good = overwrite as Workflow<State>

const broken: Record<string, { readonly create: () => Workflow; readonly caught: string }> = {
  'lets text into prompts as it is': {
    create: () => ({
      ...good,
      read: (state, chunk, context) =>
        good.read(state as State, chunk, { ...context, neutralize: (text) => text }),
    }),
    caught: 'keeps a hostile text inside its section',
  },
  'answers from a memory as it is': {
    create: () => ({
      ...good,
      answer: (state, question, context) =>
        good.answer(state as State, question, { ...context, neutralize: (text) => text }),
    }),
    caught: 'keeps hostile memories in their place',
  },
  'remembers something outside its state': {
    create: () => {
      let last = ''
      return {
        ...good,
        async read(state, chunk, context) {
          const section = `${chunk.text} ${last}`
          last = chunk.text.slice(0, 40)
          return good.read(state as State, { ...chunk, text: section }, context)
        },
      }
    },
    caught: 'resumes after every step as if it had never stopped',
  },
  'takes an empty response as the memory': {
    create: () => ({
      ...good,
      async read(state, chunk, context) {
        let text = ''
        const chat: typeof context.chat = async (conversation) => {
          const result = await context.chat(conversation)
          text = result.text
          return result
        }
        const read = await good.read(state as State, chunk, { ...context, chat })
        return { state: { ...read.state, memory: text.trim() === '' ? null : text } }
      },
    }),
    caught: 'loses no memory to empty or refused responses, and reports them',
  },
  'changes the state it was given': {
    create: () => ({
      ...good,
      async read(state, chunk, context) {
        const { state: next } = await good.read(state as State, chunk, context)
        return { state: Object.assign(state as object, next) as Json }
      },
    }),
    caught: 'returns new states of plain JSON that do not grow, and does not change the old ones',
  },
  'keeps every memory in its state': {
    create: () => ({
      ...good,
      async read(state, chunk, context) {
        const { state: next } = await good.read(state as State, chunk, context)
        const old = (state as { old?: readonly string[] }).old ?? []
        return { state: { ...next, old: [...old, next.memory ?? ''] } }
      },
    }),
    caught: 'returns new states of plain JSON that do not grow, and does not change the old ones',
  },
  'asks for longer memories than it may': {
    create: () => ({
      ...good,
      read: (state, chunk, context) =>
        good.read(state as State, chunk, { ...context, budget: { ...context.budget, memory: 100 } }),
    }),
    caught: 'stays within memory budget and window when the model never stops',
  },
  'reports a memory that was not there before': {
    create: () => ({
      ...good,
      read: (state, chunk, context) =>
        good.read(state as State, chunk, {
          ...context,
          emit: (event) => context.emit(event.type === 'memory-end' ? { ...event, previous: 'x' } : event),
        }),
    }),
    caught: 'reports every memory as the successor of the previous one',
  },
  'invents an answer': {
    create: () => ({ ...good, answer: async () => ({ text: '42', outcome: 'found' as const }) }),
    caught: 'answers "not in the text" for an empty text',
  },
  'takes silence for "not in the text"': {
    create: () => ({
      ...good,
      async answer(state, question, context) {
        const answer = await good.answer(state as State, question, { ...context, acceptsSilence: true })
        return { ...answer, outcome: answer.text === '' ? 'not-found' : answer.outcome }
      },
    }),
    caught: 'takes a final response without an answer neither for one nor for "not in the text"',
  },
}

describe('catches a workflow that', () => {
  it.each(Object.entries(broken))('%s', async (_, { create, caught }) => {
    const failed: string[] = []
    for (const { name, run } of workflowContract({ create })) await run().catch(() => failed.push(name))
    expect(failed).toContain(caught)
  })
})
