/** Workflows, all held to their contract. */
import { describe, it } from 'vitest'
import { registerCases } from '../testing/contract-case.ts'
import { type RehearsedCall, type Responder, respondByPrompt } from '../testing/rehearsal.ts'
import { workflowContract } from '../testing/workflow-contract.ts'
import { edits, editsConfirmed } from './edits/edits.ts'
import { gated, gatedExit } from './gated/gated.ts'
import { overwrite } from './overwrite/overwrite.ts'
import { parallel } from './parallel/parallel.ts'
import { recall } from './recall/recall.ts'
import { skim, skimEdits } from './skim/skim.ts'
import { slots } from './slots/slots.ts'

/** Adds what the prompt yields, or breaks the form; to make room, drops the first two lines. */
const respondWithEdits: Responder = (call) => {
  const { kind, step } = call.conversation.tag
  if (kind === 'answer') return respondByPrompt(call)
  if (kind === 'update' && step % 4 === 2) return 'Sure!'
  if (kind === 'update' || kind === 'confirm') return `+ ${respondByPrompt(call)} It was a day like others.`
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

/** Twenty words of the text at a time, each in a line of its own. */
const notingAsEdits = (reply: string, text: string, { index, conversation }: RehearsedCall) => {
  if (conversation.tag.kind !== 'update') return reply
  const words = text.split(/\s+/)
  const from = (index * 20) % words.length
  return `${reply}\n+ ${words.slice(from, from + 20).join(' ')}`
}

/** Eight words of the text at a time, in a memory that has room for eleven. */
const notingInPart = (reply: string, text: string, { index }: RehearsedCall) => {
  const words = text.split(/\s+/)
  const from = (index * 8) % words.length
  return `${reply} ${words.slice(from, from + 8).join(' ')}`
}

/** Leaves one memory of three unchanged. */
const respondBySlot: Responder = (call) =>
  call.conversation.tag.step % 3 === 2 && call.isMemory ? 'unchanged' : respondByPrompt(call)

/** Looks up a word that every note contains. */
const respondWithRecall: Responder = (call) =>
  call.conversation.tag.kind === 'answer'
    ? respondByPrompt(call)
    : `<update>${respondByPrompt(call)}</update>\n<recall>Noted</recall>`
const notingInUpdate = (reply: string, text: string) => reply.replace('</update>', ` ${text}</update>`)

/** News in every second chunk of the first pass, and in every fourth of the second. */
const respondWithReports: Responder = (call) => {
  const { kind, step, pass = 0 } = call.conversation.tag
  if (kind !== 'report') return respondByPrompt(call)
  return step % 2 ** (pass + 1) === 0 ? `yes\n${respondByPrompt(call)}` : 'no'
}

/** Only a report with news has room for more. */
const notingInReports = (reply: string, text: string, call: RehearsedCall) =>
  reply === 'no' ? reply : notingInPart(reply, text, call)

/** Gates that open for two sections of four, responses in no form, and an end behind the ninth section. */
const respondWithGates: Responder = (call) => {
  const { kind, step } = call.conversation.tag
  if (kind === 'answer') return respondByPrompt(call)
  if (step % 4 === 2) return 'Sure!'
  if (step % 4 === 3) return 'no'
  return `yes\n${respondByPrompt(call)}\n${step === 8 ? 'end' : 'continue'}`
}

/** Twenty words of the text at a time, before the last gate. */
const notingBehindGates = (reply: string, text: string, { index, conversation }: RehearsedCall) => {
  if (conversation.tag.kind !== 'update') return reply
  const words = text.split(/\s+/)
  const from = (index * 20) % words.length
  return `yes\n${words.slice(from, from + 20).join(' ')}\ncontinue`
}

describe('overwrite', () => registerCases(workflowContract({ create: () => overwrite }), it))
describe.each([edits, editsConfirmed])('$name', (workflow) =>
  registerCases(
    workflowContract({ create: () => workflow, respond: respondWithEdits, noting: notingAsEdits }),
    it,
  ),
)
describe.each([gated, gatedExit])('$name', (workflow) =>
  registerCases(
    workflowContract({ create: () => workflow, respond: respondWithGates, noting: notingBehindGates }),
    it,
  ),
)
describe('slots', () =>
  registerCases(workflowContract({ create: () => slots, respond: respondBySlot, noting: notingInPart }), it))
describe('recall', () =>
  registerCases(
    workflowContract({ create: () => recall, respond: respondWithRecall, noting: notingInUpdate }),
    it,
  ))
describe('skim', () => registerCases(workflowContract({ create: () => skim, needsQuestion: true }), it))
describe('skim-edits', () =>
  registerCases(
    workflowContract({
      ...{ create: () => skimEdits, respond: respondWithEdits, noting: notingAsEdits },
      needsQuestion: true,
    }),
    it,
  ))
describe('parallel', () =>
  registerCases(
    workflowContract({ create: () => parallel, respond: respondWithReports, noting: notingInReports }),
    it,
  ))
