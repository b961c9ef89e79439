/** Explains a recorded run's answer, and counts how often its memory kept what it held. */
import type { BenchRecord, TracedRecord } from '../record.ts'
import { courseOf, type FactCourse, factsOf, isInReadingOrder, states } from './fact.ts'
import type { Failure } from './signature.ts'
import { driftOf } from './signatures/drifted.ts'
import { signatures } from './signatures/registry.ts'

export interface Diagnosis {
  /** Name of the signature that explains a wrong answer; undefined for a right answer. */
  readonly label: string | undefined
  /** Names of all signatures found, in the registry's order. */
  readonly signatures: readonly string[]
  readonly hasMemory: boolean
  /** Steps at which the memory first held the wanted fact and finally lost it; of several facts, the one the label is about. */
  readonly capturedStep: number | undefined
  readonly lostStep: number | undefined
  /** Rewrites of a memory that held a wanted fact, over all facts, and how many of them lost it. */
  readonly heldRewrites: number
  readonly losses: number
  /** Rewrites outside the evidence while a fact was held, over all facts, and how many dropped words kept with it. */
  readonly quietRewrites: number
  readonly driftingRewrites: number
}

/** @param isRight whether the sample counts as right, by the task's main metric */
export const diagnose = (record: BenchRecord, isRight: boolean): Diagnosis =>
  record.trace === undefined
    ? diagnoseUntraced(record, isRight)
    : diagnoseTraced({ ...record, trace: record.trace }, isRight)

/** A failed call is explained by its error; other wrong answers need the trace. */
function diagnoseUntraced({ error }: BenchRecord, isRight: boolean): Diagnosis {
  const label = isRight ? undefined : error ? 'failed-call' : 'unexplained'
  return {
    label,
    signatures: label === 'failed-call' ? [label] : [],
    hasMemory: false,
    ...unknownCourse,
  }
}

const unknownCourse = {
  capturedStep: undefined,
  lostStep: undefined,
  heldRewrites: 0,
  losses: 0,
  quietRewrites: 0,
  driftingRewrites: 0,
} as const

function diagnoseTraced(record: TracedRecord, isRight: boolean): Diagnosis {
  const courses = factsOf(record).map((fact) => courseOf(fact, record))
  const answer = record.error === undefined ? record.answer : ''
  const hasMemory = record.workflow !== undefined || record.trace.length > 0
  const drifts = courses.map((course) => driftOf(record, course))
  const failure = { record, answer, hasMemory, memoryBudget: memoryBudgetOf(record) }
  const { label, present, course } = isRight
    ? { label: undefined, present: [], course: courses[0] }
    : explain(failure, courses)
  const stepOf = (index: number | undefined) => (index === undefined ? undefined : record.trace[index]!.step)
  const known = () => ({
    capturedStep: stepOf(course?.capturedAt),
    lostStep: stepOf(course?.lostAt),
    heldRewrites: sum(courses.map(({ heldRewrites }) => heldRewrites)),
    losses: sum(courses.map(({ losses }) => losses)),
    quietRewrites: sum(drifts.map(({ rewrites }) => rewrites)),
    driftingRewrites: sum(drifts.map(({ drifting }) => drifting)),
  })
  return {
    label,
    signatures: present,
    hasMemory,
    ...(isInReadingOrder(record) ? known() : unknownCourse),
  }
}

/** For a sample without notes whose method took notes on other samples: it keeps a memory, and this one stayed empty. */
export function ofMemoryMethod(diagnosis: Diagnosis): Diagnosis {
  if (diagnosis.hasMemory) return diagnosis
  const renamed = (name: string) => (name === 'seen-but-not-answered' ? 'seen-but-not-kept' : name)
  const { label } = diagnosis
  return {
    ...diagnosis,
    hasMemory: true,
    label: label && renamed(label),
    signatures: diagnosis.signatures.map(renamed),
  }
}

/** Explains each missing fact separately; the sample gets the label that comes first in the registry. */
function explain(failure: Omit<Failure, 'fact'>, courses: readonly FactCourse[]) {
  const missing = courses.filter((course) => !states(failure.answer, course))
  // A failed call tells nothing about single facts.
  const candidates = missing.length === 0 || failure.record.error ? [undefined] : missing
  const found = signatures.filter(({ isIn }) => candidates.some((fact) => isIn({ ...failure, fact })))
  const first = found[0]!
  return {
    label: first.name,
    present: found.flatMap(({ name }) => (name === 'unexplained' ? [] : name)),
    course: candidates.find((fact) => first.isIn({ ...failure, fact })),
  }
}

/** A method's own option (`overwrite:memory=512`) overrides the run's budget. An adaptive memory (`auto`) has no known budget. */
function memoryBudgetOf({ method, settings: { budget } }: BenchRecord): number | undefined {
  const own = /[:,]memory=(\d+|auto)/.exec(method)?.[1]
  if (own !== undefined) return own === 'auto' ? undefined : Number(own)
  const memory =
    typeof budget === 'object' && budget !== null && 'memory' in budget ? budget.memory : undefined
  return typeof memory === 'number' ? memory : undefined
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
