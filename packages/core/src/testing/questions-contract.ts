/** The contract of workflows for several questions read side by side: each ends as it would alone. */
import assert from 'node:assert/strict'
import { createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import type { Workflow } from '../workflows/workflow.ts'
import type { ContractCase } from './contract-case.ts'
import { outcomeOf, type Responder, rehearse } from './rehearsal.ts'
import { type QuestionsRehearsal, rehearseQuestions } from './rehearse-questions.ts'

const questions = ['Who came on the last day?', 'What did Guest 3 bring?', 'When did Guest 40 come?']

export function questionsContract(create: () => Workflow, respond: Responder): ContractCase[] {
  const together = (more: Partial<QuestionsRehearsal> = {}) =>
    rehearseQuestions({ workflow: create(), respond, questions, ...more })
  const alone = () =>
    Promise.all(
      questions.map(async (question) => {
        const { events } = await rehearse({ workflow: create(), respond, question })
        return { events: events.map(outcomeOf), end: outcomeOf(events.at(-1)!), failure: undefined }
      }),
    )
  // As JSON, like a checkpoint.
  const ends = (all: readonly { readonly end: object | undefined }[]) =>
    all.map(({ end }) => JSON.parse(JSON.stringify(end ?? null)))

  return [
    {
      name: 'answers several questions side by side as it answers each alone',
      async run() {
        const late: Responder = async (call) => {
          await new Promise((resolve) => setTimeout(resolve, (call.index * 7) % 5))
          return respond(call)
        }
        const singly = await alone()
        assert.deepEqual((await together()).questions, singly)
        assert.deepEqual((await together({ respond: late, concurrency: 2 })).questions, singly)
      },
    },
    {
      name: 'resumes several questions as if they had never stopped',
      async run() {
        const singly = await alone()
        const steps = singly.flatMap(({ events }) =>
          events.filter((event) => 'type' in event && event.type === 'chunk-end'),
        ).length
        for (let stop = 1; stop <= steps; stop += 3) {
          const checkpoints = createMemoryCheckpointStore()
          await assert.rejects(together({ checkpoints, abortAtChunk: stop }), { message: 'stopped' })
          const resumed = await together({ checkpoints })
          assert.deepEqual(ends(resumed.questions), ends(singly), `stopped after chunk ${stop}`)
          assert.equal(
            (await together({ checkpoints })).conversations.length,
            0,
            'answers are asked for again',
          )
        }
      },
    },
    {
      name: 'answers the other questions when a call of one fails, and resumes that one alone',
      async run() {
        const singly = await alone()
        const { conversations } = await together()
        for (let failing = 0; failing < conversations.length; failing += 5) {
          const checkpoints = createMemoryCheckpointStore()
          const first = await together({ checkpoints, failAtCall: failing })
          const failed = first.questions.filter(({ failure }) => failure !== undefined)
          assert.deepEqual(
            failed.map(({ failure, end }) => [failure, end]),
            [['rehearsal/failed', undefined]],
          )
          for (const [i, { failure, end }] of first.questions.entries()) {
            if (failure === undefined) assert.deepEqual(end, singly[i]!.end, `question ${i}`)
          }
          const resumed = await together({ checkpoints })
          assert.deepEqual(ends(resumed.questions), ends(singly), `failed at call ${failing + 1}`)
          assert.ok(resumed.conversations.length < conversations.length / 2 + 1)
        }
      },
    },
  ]
}
