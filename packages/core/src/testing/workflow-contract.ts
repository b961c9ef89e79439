/**
 * The contract of workflows, as cases without a test runner. The model is scripted: its replies depend on every character of the
 * prompt, so a lost, doubled or swapped piece anywhere changes the result.
 */
import { promptsFor } from '../workflows/prompts/prompts.ts'
import type { Json, Workflow } from '../workflows/workflow.ts'
import { type ContractCase, withSkips } from './contract-case.ts'
import { contractProfile } from './contract-profile.ts'
import { courseContract } from './course-contract.ts'
import { hostileContract } from './hostile-contract.ts'
import { questionsContract } from './questions-contract.ts'
import { type RehearsedCall, type Responder, rehearse, respondByPrompt } from './rehearsal.ts'
import { statesContract } from './states-contract.ts'
import type { WorkflowSubject } from './workflow-subject.ts'

export interface WorkflowContractOptions<State extends Json = Json> {
  create(): Workflow<State>
  /** The model's reply, by kind of conversation. @default a note made from the prompt; for `answer`, a box */
  readonly respond?: Responder | undefined
  /**
   * A reply that also notes this text, for workflows with a form of reply; in parts, if a reply has no room for all of it.
   * @default the reply, followed by the text
   */
  readonly noting?: ((reply: string, text: string, call: RehearsedCall) => string) | undefined
  /** The workflow refuses to begin without a question. @default false */
  readonly needsQuestion?: boolean | undefined
  /** Maps the name of a case to a reason. */
  readonly skip?: Readonly<Record<string, string>> | undefined
}

/** The cases, for `registerCases` with the runner's `test`. */
export function workflowContract<State extends Json>(
  options: WorkflowContractOptions<State>,
): ContractCase[] {
  const create = () => options.create() as unknown as Workflow
  const {
    respond = respondByPrompt,
    noting = (reply, text) => `${reply} ${text}`,
    needsQuestion = false,
  } = options
  const subject: WorkflowSubject = {
    ...{ create, respond, noting, needsQuestion },
    run: (more = {}) => rehearse({ workflow: create(), respond, ...more }),
    budget: contractProfile.budget.memory,
    markers: promptsFor(create(), undefined).markers,
  }
  const cases = [
    ...statesContract(subject),
    ...courseContract(subject),
    ...hostileContract(subject),
    ...questionsContract(create, respond),
  ]
  return withSkips(cases, needsQuestion ? { ...skipsWithoutNotes, ...options.skip } : options.skip)
}

const skipsWithoutNotes = {
  'takes general notes without a question': 'it needs a question',
  'ends a reading without a question with its notes, about which a question can be asked later':
    'it needs a question',
}
