/** The paper's workflow and fakes of the four other rhythms, all held to the contract of workflows. */
import { describe, it } from 'vitest'
import { registerCases } from '../testing/contract-case.ts'
import { gatedFake, parallelFake, recallFake, slotsFake } from '../testing/fake-workflows.ts'
import { type Responder, respondByPrompt } from '../testing/rehearsal.ts'
import { workflowContract } from '../testing/workflow-contract.ts'
import { overwrite } from './overwrite.ts'

/** A gate that lets two sections of three through; a query for what stands in every note. */
const respond: Responder = (call) => {
  const { kind } = call.conversation.tag
  if (kind === 'gate') return call.conversation.tag.step % 3 === 1 ? 'skip' : 'update'
  return kind === 'query' ? 'Noted' : respondByPrompt(call)
}

describe('overwrite', () => registerCases(workflowContract({ create: () => overwrite }), it))
describe('a gated workflow', () => registerCases(workflowContract({ create: () => gatedFake, respond }), it))
describe('a recalling workflow', () =>
  registerCases(workflowContract({ create: () => recallFake, respond }), it))
describe('a workflow of several memories', () =>
  registerCases(workflowContract({ create: () => slotsFake }), it))
describe('a parallel workflow', () => registerCases(workflowContract({ create: () => parallelFake }), it))
