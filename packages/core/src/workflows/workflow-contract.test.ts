/** The paper's workflow and fakes of the four other rhythms, all held to the contract of workflows. */
import { describe, it } from 'vitest'
import { registerCases } from '../testing/contract-case.ts'
import { gatedFake, parallelFake, recallFake, slotsFake } from '../testing/fake-workflows.ts'
import { type RehearsedCall, type Responder, respondByPrompt } from '../testing/rehearsal.ts'
import { workflowContract } from '../testing/workflow-contract.ts'
import { edits } from './edits.ts'
import { overwrite } from './overwrite.ts'

/** Adds what the prompt comes to; where there is no room, drops the first two lines. */
const respondWithEdits: Responder = (call) => {
  const { kind } = call.conversation.tag
  if (kind === 'answer') return respondByPrompt(call)
  if (kind === 'update') return `+ ${respondByPrompt(call)} It was a day like others.`
  return linesShown(call.prompt)
    .slice(0, 2)
    .map(([, id]) => `-#${id}`)
    .join('\n')
}
const linesShown = (prompt: string) => [
  ...prompt
    .split('<memory>\n')
    .at(-1)!
    .matchAll(/^#(\d+) /gm),
]

/** Twenty words of the text at a time, each on its way to a line of its own. */
const notingAsEdits = (reply: string, text: string, { index, conversation }: RehearsedCall) => {
  if (conversation.tag.kind !== 'update') return reply
  const words = text.split(/\s+/)
  const from = (index * 20) % words.length
  return `${reply}\n+ ${words.slice(from, from + 20).join(' ')}`
}

/** A gate that lets two sections of three through; a query for what stands in every note. */
const respond: Responder = (call) => {
  const { kind } = call.conversation.tag
  if (kind === 'gate') return call.conversation.tag.step % 3 === 1 ? 'skip' : 'update'
  return kind === 'query' ? 'Noted' : respondByPrompt(call)
}

describe('overwrite', () => registerCases(workflowContract({ create: () => overwrite }), it))
describe('edits', () =>
  registerCases(
    workflowContract({ create: () => edits, respond: respondWithEdits, noting: notingAsEdits }),
    it,
  ))
describe('a gated workflow', () => registerCases(workflowContract({ create: () => gatedFake, respond }), it))
describe('a recalling workflow', () =>
  registerCases(workflowContract({ create: () => recallFake, respond }), it))
describe('a workflow of several memories', () =>
  registerCases(workflowContract({ create: () => slotsFake }), it))
describe('a parallel workflow', () => registerCases(workflowContract({ create: () => parallelFake }), it))
