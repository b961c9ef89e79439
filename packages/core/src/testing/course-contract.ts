/** The contract of workflows for the course of a reading: its conversations, with any interruption and any order of replies. */
import assert from 'node:assert/strict'
import { MemAgentError } from '../errors.ts'
import { createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import type { ContractCase } from './contract-case.ts'
import { outcomeOf, type Responder } from './rehearsal.ts'
import { usefulEvent } from './useful-event.ts'
import type { WorkflowSubject } from './workflow-subject.ts'

export const courseContract = ({ respond, run }: WorkflowSubject): ContractCase[] => [
  {
    name: 'tags every conversation, each tag once, and the answer last',
    async run() {
      const { conversations } = await run()
      const tags = conversations.map(
        ({ tag: { pass = 0, step, kind, slot = 0 } }) => `${pass} ${step} ${kind} ${slot}`,
      )
      assert.equal(new Set(tags).size, tags.length, `a tag comes twice: ${tags.join(', ')}`)
      assert.equal(conversations.at(-1)?.tag.kind, 'answer')
      assert.equal(conversations.filter(({ tag }) => tag.kind === 'answer').length, 1)
    },
  },
  {
    name: 'resumes after every step as if it had never stopped',
    async run() {
      const whole = await run()
      const steps = whole.events.filter(({ type }) => type === 'chunk-end').length
      assert.ok(steps >= 8)
      for (let stop = 1; stop <= steps; stop++) {
        const checkpoints = createMemoryCheckpointStore()
        await assert.rejects(run({ checkpoints, abortAtChunk: stop }), { message: 'stopped' })
        const resumed = await run({ checkpoints })
        assert.deepEqual(resumed.outcome, whole.outcome, `stopped after chunk ${stop}`)
      }
    },
  },
  {
    name: 'loses nothing to a failed call, whichever it is',
    async run() {
      const whole = await run()
      for (let failing = 0; failing < whole.conversations.length; failing++) {
        const checkpoints = createMemoryCheckpointStore()
        await assert.rejects(
          run({ checkpoints, failAtCall: failing }),
          (error) => MemAgentError.isInstance(error) && /the model is gone/.test(error.message),
        )
        const resumed = await run({ checkpoints })
        assert.deepEqual(resumed.outcome, whole.outcome, `failed at call ${failing + 1}`)
      }
    },
  },
  {
    name: 'makes no further calls once it has answered',
    async run() {
      const checkpoints = createMemoryCheckpointStore()
      const first = await run({ checkpoints })
      const again = await run({ checkpoints })
      assert.equal(again.conversations.length, 0)
      assert.deepEqual(again.outcome, first.outcome)
    },
  },
  {
    name: 'stops in the middle of a call on abort, with the reason',
    async run() {
      const controller = new AbortController()
      const reason = new Error('enough for today')
      let calls = 0
      const hanging: Responder = (call) => {
        if (++calls < 4) return respond(call)
        setTimeout(() => controller.abort(reason), 1)
        return new Promise(() => undefined)
      }
      await assert.rejects(run({ respond: hanging, signal: controller.signal }), (error) => error === reason)
    },
  },
  {
    name: 'answers "not in the text" for an empty text',
    async run() {
      const { outcome, events } = await run({ text: '' })
      assert.equal(outcome.answer.outcome, 'not-found')
      assert.equal(outcome.answer.text, '')
      assert.equal(outcome.memory, '')
      assert.equal(events.filter(({ type }) => type === 'chunk-end').length, 0)
    },
  },
  {
    name: 'reads a text of one chunk',
    async run() {
      const { outcome } = await run({ text: 'One sentence is all there is.' })
      assert.notEqual(outcome.memory, '')
      assert.equal(outcome.answer.outcome, 'found')
    },
  },
  {
    name: 'reports every memory as the successor of the previous one',
    async run() {
      const { events, outcome } = await run()
      let last = ''
      let count = 0
      for (const event of events) {
        if (event.type !== 'memory-end') continue
        assert.equal(event.previous, last)
        assert.equal(event.changed, event.memory !== event.previous)
        last = event.memory
        count++
      }
      assert.equal(last, outcome.memory)
      assert.ok(count > 0)
    },
  },
  {
    name: 'leaves the memory as it is where responses are as their drafts have it',
    async run() {
      const { events, conversations } = await run({
        respond: (call) => (call.index === 0 ? undefined : call.conversation.draft) ?? respond(call),
      })
      if (conversations.every(({ draft }) => draft === undefined)) return
      const changes = events.filter((event) => event.type === 'memory-end' && event.changed)
      assert.equal(changes.length, 1, 'only the first response was not its draft')
      assert.deepEqual(
        events.filter(({ type }) => type === 'warning'),
        [],
      )
    },
  },
  {
    name: 'ends the same when chunks are read ahead',
    async run() {
      const late: Responder = async (call) => {
        await new Promise((resolve) => setTimeout(resolve, (call.index * 7) % 5))
        return respond(call)
      }
      const [inOrder, ahead] = [await run(), await run({ respond: late, ahead: 8 })]
      const told = ({ events }: typeof inOrder) => events.map(usefulEvent)
      assert.deepEqual(told(ahead), told(inOrder))
    },
  },
  {
    name: 'ends the same in whatever order replies arrive',
    async run() {
      const late: Responder = async (call) => {
        await new Promise((resolve) => setTimeout(resolve, (call.index * 7) % 5))
        return respond(call)
      }
      const [alone, together] = [await run({ concurrency: 1 }), await run({ respond: late, concurrency: 8 })]
      assert.deepEqual(together.outcome, alone.outcome)
      assert.deepEqual(together.events.map(outcomeOf), alone.events.map(outcomeOf))
    },
  },
]
