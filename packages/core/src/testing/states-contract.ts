/** The contract of workflows for their states and notes. */
import assert from 'node:assert/strict'
import { MemAgentError } from '../errors.ts'
import { createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import type { Json } from '../workflows/workflow.ts'
import type { ContractCase } from './contract-case.ts'
import { rehearseSteps } from './rehearsal.ts'
import type { WorkflowSubject } from './workflow-subject.ts'

export const statesContract = ({
  budget,
  create,
  needsQuestion,
  respond,
  run,
}: WorkflowSubject): ContractCase[] => [
  {
    name: 'starts with a small state of plain JSON, with and without a question',
    async run() {
      for (const question of needsQuestion ? ['Who came?'] : ['Who came?', undefined]) {
        const state = create().init(question)
        assertPlainJson(state)
        assert.ok(JSON.stringify(state).length < 2000)
      }
    },
  },
  {
    name: 'recognizes its own states in JSON, and nothing else',
    async run() {
      const workflow = create()
      const question = 'Who came?'
      const { states } = await rehearseSteps(workflow, { respond, chunks: 3, question })
      for (const [steps, state] of states.entries()) {
        const value = JSON.parse(JSON.stringify(state)) as Json
        const after = { question, steps }
        assert.ok(workflow.isState(value, after), 'one of its own states is rejected')
        assert.ok(
          !workflow.isState(value, { question: 'Who left?', steps }),
          'a state for another question is accepted',
        )
        const others: Json[] = [null, true, 0, '', [], {}, [value]]
        for (const name of Object.keys(value as object)) {
          const { [name]: _, ...rest } = value as { readonly [key: string]: Json }
          others.push(rest, { ...rest, [name]: { not: 'this' } })
        }
        for (const other of others) {
          assert.ok(!workflow.isState(other, after), `${JSON.stringify(other)} is taken for a state`)
        }
      }
    },
  },
  {
    name: 'returns new states of plain JSON that do not grow, and does not change the old ones',
    async run() {
      const workflow = create()
      const { states, context } = await rehearseSteps(workflow, {
        respond,
        chunks: 30,
        question: 'Who came?',
      })
      for (const state of states) assertPlainJson(state)
      const [early, late] = [sizeOf(states.slice(0, 15)), sizeOf(states.slice(15))]
      assert.ok(late <= 1.2 * early + 50, `states grow from ${early} to ${late} characters`)
      const memory = workflow.memory(states.at(-1)!)
      assert.notEqual(memory, '')
      assert.equal(memory, memory.trim())
      assert.ok((await context.countTokens(memory)) <= budget, 'the memory exceeds its budget')
    },
  },
  {
    name: 'takes general notes without a question',
    async run() {
      const { states, conversations } = await rehearseSteps(create(), {
        respond,
        chunks: 3,
        question: undefined,
      })
      assert.notEqual(create().memory(states.at(-1)!), '')
      for (const { messages } of conversations) {
        for (const { content } of messages) assert.doesNotMatch(content, /\b(?:undefined|null)\b/)
      }
    },
  },
  {
    name: 'ends a reading without a question with its notes, about which a question can be asked later',
    async run() {
      const whole = await run({ question: null })
      assert.equal(whole.events.at(-1)?.type, 'notes')
      assert.notEqual(whole.outcome.memory, '')
      assert.ok(whole.conversations.every(({ tag }) => tag.kind !== 'answer'))
      const checkpoints = createMemoryCheckpointStore()
      await assert.rejects(run({ question: null, checkpoints, abortAtChunk: 3 }), { message: 'stopped' })
      await assert.rejects(run({ question: 'Who came?', checkpoints }), MemAgentError)
      assert.deepEqual((await run({ question: null, checkpoints })).outcome, whole.outcome)
      const again = await run({ question: null, checkpoints })
      assert.equal(again.conversations.length, 0)
      assert.deepEqual(again.outcome, whole.outcome)

      const workflow = create()
      const rehearsal = { respond, chunks: 3, question: undefined }
      const { states, context } = await rehearseSteps(workflow, rehearsal)
      const state = JSON.parse(JSON.stringify(states.at(-1)!))
      assert.ok(workflow.isState(state, { question: undefined, steps: 3 }))
      assert.equal((await workflow.answer(state, 'Who came?', context)).outcome, 'found')
    },
  },
]

function assertPlainJson(state: Json): void {
  assert.deepEqual(JSON.parse(JSON.stringify(state)), state)
}

const sizeOf = (states: readonly Json[]) => Math.max(...states.map((state) => JSON.stringify(state).length))
