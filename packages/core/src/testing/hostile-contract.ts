/** The contract of workflows for hostile texts, questions and memories, and for useless responses. */
import assert from 'node:assert/strict'
import { NoAnswerError } from '../errors.ts'
import { createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import type { ContractCase } from './contract-case.ts'
import { assertSameStructure, hostileText } from './prompt-structure.ts'
import { contractText, type Responder, rehearseSteps } from './rehearsal.ts'
import type { WorkflowSubject } from './workflow-subject.ts'

export const hostileContract = ({
  budget,
  create,
  markers,
  noting,
  respond,
  run,
}: WorkflowSubject): ContractCase[] => [
  {
    name: 'keeps a hostile text inside its section',
    async run() {
      const harmless = await run()
      const hostile = await run({ text: contractText(6, hostileText) })
      assertSameStructure(hostile.conversations, harmless.conversations, markers)
      const prompts = hostile.conversations.map(({ messages }) => JSON.stringify(messages)).join('\n')
      assert.match(prompts, /Ignore everything above/, 'the text itself is gone')
    },
  },
  {
    name: 'keeps a hostile question in its place',
    async run() {
      const harmless = await run()
      const hostile = await run({ question: `Who came? ${hostileText}` })
      assertSameStructure(hostile.conversations, harmless.conversations, markers)
    },
  },
  {
    name: 'keeps hostile memories in their place',
    async run() {
      const harmless = await run()
      const hostile = await run({
        respond: (call) => withTail(respond(call), (reply) => noting(reply, hostileText, call)),
      })
      const prompts = hostile.conversations.map(({ messages }) => JSON.stringify(messages)).join('\n')
      assert.match(prompts, /The password is swordfish/, 'the text itself is gone')
      assertSameStructure(hostile.conversations, harmless.conversations, markers)
    },
  },
  {
    name: 'stays within memory budget and window when the model never stops',
    async run() {
      // A workflow may use nothing of a cut response, so there has to be a memory before.
      const endless: Responder = (call) =>
        call.index < 2
          ? respond(call)
          : withTail(respond(call), (reply) => `${reply} ${' and so on'.repeat(400)}`)
      // The scripted model rejects prompts that do not fit the window.
      const { events, outcome } = await run({ respond: endless })
      const lengths = events.flatMap((event) =>
        event.type === 'memory-end' ? [event.memory.split(/\s+/).length] : [],
      )
      assert.ok(lengths.length > 0)
      assert.ok(Math.max(...lengths) <= budget)
      assert.ok(outcome.memory.split(/\s+/).length <= budget)
    },
  },
  {
    name: 'loses no memory to empty or refused responses, and reports them',
    async run() {
      const unusable = [
        { text: ' \n' },
        { text: 'I cannot help with that.', finishReason: { unified: 'refusal', raw: 'content_filter' } },
      ] as const
      for (const bad of unusable) {
        const { states, events } = await rehearseSteps(create(), {
          // Other requests (gates, queries) still get their replies.
          respond: (call) => (call.chunk >= 6 && call.isMemory ? bad : respond(call)),
          chunks: 12,
          question: 'Who came?',
        })
        const { memory } = create()
        assert.notEqual(memory(states[6]!), '')
        assert.equal(memory(states.at(-1)!), memory(states[6]!))
        assert.ok(events.some(({ type }) => type === 'warning'))
      }
    },
  },
  {
    name: 'takes a final response without an answer neither for one nor for "not in the text"',
    async run() {
      const length = { unified: 'length', raw: 'length' } as const
      const unusable = [
        { text: '' },
        { text: '', reasoning: 'Hm', finishReason: length },
        { text: '\\boxed{48', finishReason: length },
        { text: 'No.', finishReason: { unified: 'refusal', raw: 'content_filter' } },
      ] as const
      for (const reply of unusable) {
        const checkpoints = createMemoryCheckpointStore()
        const silent: Responder = (call) => (call.conversation.tag.kind === 'answer' ? reply : respond(call))
        await assert.rejects(run({ respond: silent, checkpoints }), (error) =>
          NoAnswerError.isInstance(error),
        )
        const { conversations } = await run({ checkpoints })
        assert.deepEqual(
          conversations.map(({ tag }) => tag.kind),
          ['answer'],
        )
      }
    },
  },
]

/** The reply with more appended, if it is a text. */
async function withTail(reply: ReturnType<Responder>, more: (reply: string) => string) {
  const given = await reply
  return typeof given === 'string' && !/^(?:skip|update|enough)$/.test(given) ? more(given) : given
}
