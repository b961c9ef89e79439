/** Makes the document of a page from a stored run. */
import {
  ConfigurationError,
  type Position,
  positionText,
  type ReadingEvent,
  type SourceQuote,
  type SourceRange,
  type TracedStatement,
} from '@memagent/core'
import type { ReadableRuns, RunAnswers, StoredRun } from '@memagent/store'
import type { PageRange, PageResult, PageStatement, PageStep, Passage, RunPage } from './run-page.ts'
import { type ShownStep, stepsOf } from './shown-steps.ts'
import { changeOf } from './text-change.ts'

/**
 * @param id may be shortened as long as it is unique
 * @param now when the page is made; milliseconds since 1970
 * @throws StoreError, ConfigurationError for a run of several questions
 */
export async function makeRunPage(
  store: ReadableRuns,
  id: string,
  now: number = Date.now(),
): Promise<RunPage> {
  const run = await store.load(id)
  const lists = new Lists()
  const { start, steps } = await pageSteps(store.events(run.id), lists)
  const result = resultOfOne(run)
  const traced = result?.provenance?.memory ?? run.checkpoint?.provenance?.statements
  const statements = traced && lists.statementsOf(traced)
  if (statements && steps.every((step) => step.statements === undefined)) placeStatements(steps, statements)
  return {
    version: 1,
    madeMs: now,
    run: summaryOf(run),
    start,
    steps,
    ...(statements && { statements }),
    ...(result && { result: resultOf(result, lists) }),
    // Last, when all of them are known.
    files: lists.files.values,
    passages: lists.passages.values,
    warnings: lists.warnings.values,
  }
}

/** Leaves out what the page does not need: paths and options of the command that began the run. */
function summaryOf(run: StoredRun): RunPage['run'] {
  const { id, question, document, model, workflow, state, createdMs, updatedMs, steps, failure, outcome } =
    run
  return { id, question, document, model, workflow, state, createdMs, updatedMs, steps, failure, outcome }
}

async function pageSteps(events: AsyncIterable<ReadingEvent>, lists: Lists) {
  let start: string | undefined
  let memory = ''
  const steps: PageStep[] = []
  for await (const step of stepsOf(events)) {
    const [first] = step.memories
    if (start === undefined && first) start = memory = first.previous
    const after = step.memories.at(-1)?.memory ?? memory
    lists.indexOf.set(step.ordinal, step.index)
    steps.push(pageStep(step, memory, after, lists))
    memory = after
  }
  return { start: start ?? '', steps }
}

function pageStep(step: ShownStep, before: string, after: string, lists: Lists): PageStep {
  const change = changeOf(before, after)
  const slot = step.memories.findLast(({ changed }) => changed)?.slot
  const warnings = step.warnings.map(({ message }) => lists.warnings.add(message))
  return {
    ranges: step.ranges.map((range) => pageRange(range, lists)),
    ...(change && { change }),
    ...(slot !== undefined && { slot }),
    ...(step.memories.some(({ origin }) => origin === 'kept') && { isKept: true }),
    ...(warnings.length > 0 && { warnings }),
    ...(step.statements && { statements: lists.statementsOf(step.statements) }),
  }
}

function pageRange({ source, startByte, endByte, marks = [] }: SourceRange, lists: Lists): PageRange {
  const [from, to] = [placeOf(marks[0]?.position), placeOf(marks.at(-1)?.position)]
  const isOne = marks.length < 2
  return {
    file: lists.files.add(source),
    startByte,
    endByte,
    ...(from && { from }),
    ...(to && !isOne && { to }),
  }
}

/** Empty if nothing is known. */
const placeOf = (position: Position = {}): string => positionText(position, ' › ')

type OneResult = Exclude<NonNullable<StoredRun['result']>, RunAnswers>

/** @throws ConfigurationError */
function resultOfOne({ id, questions, result }: StoredRun): OneResult | undefined {
  if (questions === undefined && result?.type !== 'answers') return result
  throw new ConfigurationError({
    code: 'web/several-questions',
    message: `The run ${id} is of several questions, and a page shows the steps of one.`,
    hint: 'Say which: --question 1',
    details: { id },
  })
}

function resultOf(result: OneResult, lists: Lists): PageResult {
  const { warnings, usage, seconds, unread, memory, provenance } = result
  const common = { warnings, usage, seconds, memory, ...(unread && { unread }) }
  if (result.type === 'notes') return common
  const { text, outcome, isUnusable } = result.answer
  const statements = provenance?.answer && lists.statementsOf(provenance.answer)
  return {
    ...common,
    answer: { text, outcome, ...(isUnusable && { isUnusable }) },
    ...(statements && { statements }),
  }
}

/** For runs of versions that did not store the statements of each step: places those that are still in the memory. */
function placeStatements(steps: PageStep[], statements: readonly PageStatement[]): void {
  for (const statement of statements) {
    const step = statement.step === undefined ? undefined : steps[statement.step]
    if (step) steps[statement.step!] = { ...step, statements: [...(step.statements ?? []), statement] }
  }
}

/** Values, each once. */
class Distinct<Value> {
  readonly values: Value[] = []
  readonly #known = new Map<string, number>()

  /** @param key the same for equal values @returns the index in the list */
  add(value: Value, key = String(value)): number {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.values.length)
    return this.values.push(value) - 1
  }
}

class Lists {
  readonly files = new Distinct<string>()
  readonly warnings = new Distinct<string>()
  readonly passages = new Distinct<Passage>()
  /** For each ordinal, the last step that read it. */
  readonly indexOf = new Map<number, number>()

  statementsOf(statements: readonly TracedStatement[]): PageStatement[] {
    return statements.map(({ text, heading, verdict, step, sources, nearest = [] }) => {
      const index = step === undefined ? undefined : this.indexOf.get(step)
      return {
        text,
        ...(heading !== undefined && { heading }),
        verdict,
        ...(index !== undefined && { step: index }),
        passages: [...sources, ...nearest].map((source) => this.#passage(source)),
      }
    })
  }

  #passage({ quote, context, file: name, startByte, endByte, position, step: ordinal }: SourceQuote): number {
    const file = this.files.add(name)
    const step = this.indexOf.get(ordinal)
    const passage: Passage = {
      quote,
      ...(context !== undefined && { context }),
      file,
      startByte,
      endByte,
      ...(position && { position: placeOf(position) }),
      ...(step !== undefined && { step }),
    }
    return this.passages.add(passage, `${file} ${startByte} ${endByte} ${step}`)
  }
}
