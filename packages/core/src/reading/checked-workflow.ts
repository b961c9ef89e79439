/**
 * Anyone may write a workflow, also in JavaScript, without a compiler to check it. So results are checked on arrival: an error
 * names the workflow and the field, a malformed answer is never reported, and a state that cannot be resumed is never saved.
 */
import { MemAgentError, WorkflowError } from '../errors.ts'
import { aCount, aFlag, aText, objectOf, oneOf, optional } from '../json-shape.ts'
import { messageOf } from '../message-of.ts'
import type { Answer, Json, Workflow } from '../workflows/workflow.ts'

const answerShape = objectOf<Answer>({
  text: aText,
  outcome: oneOf<Answer['outcome']>({ found: true, 'not-found': true, unsure: true }),
  response: optional(aText),
  finishReason: () => undefined,
  isUnusable: optional(aFlag),
})

/** The same workflow; its functions throw a WorkflowError instead of returning an invalid state, answer or memory. */
export function checkedWorkflow<State extends Json>(workflow: Workflow<State>): Workflow<State> {
  const { name, prompts, fingerprint, callsPerChunk, passes, run } = workflow
  const demand = (what: string, problem: string | undefined) => {
    if (problem !== undefined) throw badResult(name, what, problem)
  }
  const checkedState = (state: State): State => {
    demand('state', problemOfJson(state, 'state'))
    return state
  }
  return {
    ...workflow,
    // In a class instance these may not be own properties, so the spread above misses them.
    name,
    prompts,
    fingerprint,
    callsPerChunk,
    passes,
    init: (question) => checkedState(guarded(name, () => workflow.init(question))),
    async read(state, chunk, context) {
      const result = await workflow.read(state, chunk, context)
      demand('step', shapeOfStep(result, 'the result of read'))
      checkedState(result.state)
      return result
    },
    async answer(state, question, context) {
      const answer = await workflow.answer(state, question, context)
      demand('answer', answerShape(answer, 'answer') ?? problemOfClaim(answer))
      return answer
    },
    isState: (value, after): value is State => workflow.isState(value, after),
    memory(state) {
      const memory = guarded(name, () => workflow.memory(state))
      demand('memory', aText(memory, 'memory'))
      return memory
    },
    ...(workflow.unreadBytes && {
      unreadBytes(state) {
        const bytes = guarded(name, () => workflow.unreadBytes!(state))
        demand('number of unread bytes', aCount(bytes, 'unreadBytes'))
        return bytes
      },
    }),
    ...(workflow.withMemory && {
      withMemory: (state, memory) => checkedState(workflow.withMemory!(state, memory)),
    }),
    ...(workflow.estimate && { estimate: (...given) => workflow.estimate!(...given) }),
    ...(workflow.unchanged && {
      unchanged: (state) => checkedState(guarded(name, () => workflow.unchanged!(state))),
    }),
    ...(run && {
      async *run(state, openChunks, context) {
        for await (const next of run.call(workflow, state, openChunks, context)) yield checkedState(next)
      },
    }),
  }
}

export const badResult = (workflow: string, what: string, problem: string): WorkflowError =>
  new WorkflowError({
    code: 'workflow/bad-result',
    message: `The workflow ${workflow} returned an invalid ${what}: ${problem}.`,
    details: { workflow, problem },
  })

const shapeOfStep = objectOf<{ readonly state: Json; readonly done?: boolean }>({
  state: () => undefined,
  done: optional(aFlag),
})

const problemOfClaim = ({ text, outcome }: Answer) =>
  outcome === 'found' && text === '' ? 'its outcome is found, and its text is empty' : undefined

function guarded<Result>(name: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    if (MemAgentError.isInstance(cause)) throw cause
    throw new WorkflowError({
      code: 'workflow/failed',
      message: `The workflow ${name} failed: ${messageOf(cause)}`,
      details: { workflow: name },
      cause,
    })
  }
}

const deepest = 100

/** Why a value would not survive a round trip through JSON. */
function problemOfJson(value: unknown, path: string, depth = 0): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`
  if (typeof value !== 'object') return `${path} is ${value === undefined ? 'missing' : `a ${typeof value}`}`
  if (depth === deepest) return `${path.split(/[.[]/)[0]} is nested too deeply, or holds itself`
  if (Array.isArray(value))
    return firstProblem(
      value.map((item, i) => [`${path}[${i}]`, item]),
      depth,
    )
  const prototype: unknown = Object.getPrototypeOf(value)
  // Plain objects of any realm pass.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return `${path} is a ${value.constructor.name}, not a plain object`
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return firstProblem(
    fields.map(([name, field]) => [`${path}.${name}`, field]),
    depth,
  )
}

function firstProblem(parts: readonly (readonly [string, unknown])[], depth: number): string | undefined {
  for (const [path, part] of parts) {
    const problem = problemOfJson(part, path, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
