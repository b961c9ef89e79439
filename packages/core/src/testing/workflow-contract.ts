/**
 * What every workflow promises, as cases without a test runner. The model is scripted: its replies depend on every
 * character of the prompt, so a lost, doubled or swapped piece anywhere changes the result.
 */
import assert from 'node:assert/strict'
import { MemAgentError, NoAnswerError } from '../errors.ts'
import { createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import { promptsFor } from '../workflows/prompts/prompts.ts'
import type { Json, Workflow } from '../workflows/workflow.ts'
import { type ContractCase, withSkips } from './contract-case.ts'
import { contractProfile } from './contract-profile.ts'
import { assertSameStructure, hostileText } from './prompt-structure.ts'
import { questionsContract } from './questions-contract.ts'
import {
  contractText,
  outcomeOf,
  type Rehearsal,
  type RehearsedCall,
  type Responder,
  rehearse,
  rehearseSteps,
  respondByPrompt,
} from './rehearsal.ts'
import { usefulEvent } from './useful-event.ts'

export interface WorkflowContractOptions<State extends Json = Json> {
  create(): Workflow<State>
  /** The model's reply, by kind of conversation. @default a note made from the prompt; for `answer`, a box */
  readonly respond?: Responder | undefined
  /**
   * A reply that notes this text, too, for workflows whose replies have a form; a part of the text at a time where a
   * reply has no room for all of it. @default the reply, and the text behind it
   */
  readonly noting?: ((reply: string, text: string, call: RehearsedCall) => string) | undefined
  /** The workflow refuses to begin without a question. @default false */
  readonly needsQuestion?: boolean | undefined
  /** Case name to reason. */
  readonly skip?: Readonly<Record<string, string>> | undefined
}

/** The cases, for `registerCases` with the runner's `test`. */
export function workflowContract<State extends Json>(
  options: WorkflowContractOptions<State>,
): ContractCase[] {
  const respond = options.respond ?? respondByPrompt
  const { noting = (reply, text) => `${reply} ${text}`, needsQuestion = false } = options
  const run = (more: Partial<Rehearsal> = {}) =>
    rehearse({ workflow: options.create() as unknown as Workflow, respond, ...more })
  const { memory: budget } = contractProfile.budget
  const { markers } = promptsFor(options.create(), undefined)

  const cases: ContractCase[] = [
    {
      name: 'starts with a small state of plain JSON, with and without a question',
      async run() {
        for (const question of needsQuestion ? ['Who came?'] : ['Who came?', undefined]) {
          const state = options.create().init(question)
          assertPlainJson(state)
          assert.ok(JSON.stringify(state).length < 2000)
        }
      },
    },
    {
      name: 'recognizes its own states in JSON, and nothing else',
      async run() {
        const workflow = options.create()
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
        const workflow = options.create()
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
        const { states, conversations } = await rehearseSteps(options.create(), {
          respond,
          chunks: 3,
          question: undefined,
        })
        assert.notEqual(options.create().memory(states.at(-1)!), '')
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

        const workflow = options.create()
        const rehearsal = { respond, chunks: 3, question: undefined }
        const { states, context } = await rehearseSteps(workflow, rehearsal)
        const state = JSON.parse(JSON.stringify(states.at(-1)!)) as State
        assert.ok(workflow.isState(state, { question: undefined, steps: 3 }))
        assert.equal((await workflow.answer(state, 'Who came?', context)).outcome, 'found')
      },
    },
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
        await assert.rejects(
          run({ respond: hanging, signal: controller.signal }),
          (error) => error === reason,
        )
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
        // It may be that nothing is taken of a response that is cut: so there is a memory before.
        const endless: Responder = (call) =>
          call.index < 2
            ? respond(call)
            : withTail(respond(call), (reply) => `${reply} ${' and so on'.repeat(400)}`)
        // The scripted model rejects what does not fit the window.
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
          const { states, events } = await rehearseSteps(options.create(), {
            // Other requests (gates, queries) still get their replies.
            respond: (call) => (call.chunk >= 6 && call.isMemory ? bad : respond(call)),
            chunks: 12,
            question: 'Who came?',
          })
          const { memory } = options.create()
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
          const silent: Responder = (call) =>
            call.conversation.tag.kind === 'answer' ? reply : respond(call)
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
        const [alone, together] = [
          await run({ concurrency: 1 }),
          await run({ respond: late, concurrency: 8 }),
        ]
        assert.deepEqual(together.outcome, alone.outcome)
        assert.deepEqual(together.events.map(outcomeOf), alone.events.map(outcomeOf))
      },
    },
  ]
  cases.push(...questionsContract(() => options.create() as unknown as Workflow, respond))
  const skip = needsQuestion ? { ...skipsWithoutNotes, ...options.skip } : options.skip
  return withSkips(cases, skip)
}

const skipsWithoutNotes = {
  'takes general notes without a question': 'it needs a question',
  'ends a reading without a question with its notes, about which a question can be asked later':
    'it needs a question',
}

function assertPlainJson(state: Json): void {
  assert.deepEqual(JSON.parse(JSON.stringify(state)), state)
}

const sizeOf = (states: readonly Json[]) => Math.max(...states.map((state) => JSON.stringify(state).length))

/** The reply with more in it, if it is a text. */
async function withTail(reply: ReturnType<Responder>, more: (reply: string) => string) {
  const given = await reply
  return typeof given === 'string' && !/^(?:skip|update|enough)$/.test(given) ? more(given) : given
}
