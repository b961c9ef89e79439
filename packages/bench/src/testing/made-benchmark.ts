/** A synthetic benchmark for tests of the report: several tasks, lengths and methods, with every kind of failure. */
import { createRandom, type Random } from '@memagent/tasks'
import type { TraceEntry } from '../method.ts'
import type { BenchRecord } from '../record.ts'
import { makeRecord } from './made-records.ts'

export interface MadeBenchmark {
  /** @default four tasks, of RULER's and others */
  readonly tasks?: readonly string[]
  /** @default 8k to 512k, with 3.5M for the first task */
  readonly lengths?: readonly number[]
  /** Samples per cell. @default 8 */
  readonly samples?: number
}

const madeTasks = ['facts-in-prose', 'ruler/niah-multivalue', 'ruler/niah-single-1', 'two-hop']
const madeLengths = [8000, 32_000, 128_000, 512_000]

/** Text that would break a report that trusts it. */
export const hostileText = `<script>alert("x")</script> | [a](javascript:alert(1)) \u202e"',=1+1\n# no heading`

/** A method's accuracy at a length. */
const skills: Record<string, (length: number) => number> = {
  overwrite: (length) => 0.97 - 0.02 * Math.log2(length / 8000),
  truncate: (length) => Math.min(0.95, 7000 / length),
  bm25: (length) => 0.82 - 0.03 * Math.log2(length / 8000),
  refine: (length) => 0.85 - 0.09 * Math.log2(length / 8000),
}

/** Refine stops at 128,000 tokens. Equal parts give equal records. */
export function madeBenchmark(parts: MadeBenchmark = {}): BenchRecord[] {
  const { tasks = madeTasks, lengths = madeLengths, samples = 8 } = parts
  return tasks.flatMap((task, taskNumber) =>
    [...lengths, ...(taskNumber === 0 && parts.lengths === undefined ? [3_500_000] : [])].flatMap(
      (lengthTokens) =>
        Array.from({ length: samples }, (_, index) => index).flatMap((index) =>
          Object.keys(skills)
            .filter((method) => method !== 'refine' || lengthTokens <= 128_000)
            .map((method) =>
              task === 'two-hop' && index % 3 === 2
                ? withoutAnswer(madeRecord(task, lengthTokens, index, method))
                : madeRecord(task, lengthTokens, index, method),
            ),
        ),
    ),
  )
}

/** Asks for something that the document does not say; the better a method finds facts, the more it makes up. */
function withoutAnswer(record: BenchRecord): BenchRecord {
  if (record.error) return { ...record, references: [], evidence: [] }
  const hasDeclined = createRandom('declined', record.key).chance(record.method === 'truncate' ? 0.9 : 0.4)
  const right = hasDeclined ? 1 : 0
  return {
    ...record,
    references: [],
    evidence: [],
    answer: hasDeclined ? '' : 'Otto Berg',
    outcome: hasDeclined ? 'not-found' : 'found',
    metrics: { strict: right, lenient: right },
    trace: [],
  }
}

function madeRecord(task: string, lengthTokens: number, index: number, method: string): BenchRecord {
  const random = createRandom('made benchmark', task, index, lengthTokens)
  const depth = random.next()
  const own = random.fork(method)
  const isMulti = task.includes('multivalue')
  const documentBytes = 4 * lengthTokens
  const steps = Math.ceil(lengthTokens / 2000)
  const references = isMulti ? ['4711', '815', '1234', '99'] : ['Anna Lind']
  const skill = skills[method]!(lengthTokens) - (task === 'two-hop' ? 0.25 : 0)
  const right = references.map(() => own.chance(skill))
  const hasFailed = method === 'refine' && own.chance(0.04)
  const share = right.filter(Boolean).length / right.length
  const evidence = references.map((_, i) => {
    const startByte = Math.floor((isMulti ? random.fork(i).next() : depth) * (documentBytes - 20))
    return { startByte, endByte: startByte + 9 }
  })
  const given = references.filter((_, i) => right[i])
  const lure = own.pick(['Otto Berg', 'Nils Dahl', hostileText])
  const answer = given.length > 0 ? given.join(', ') : own.chance(0.5) ? lure : ''
  const isVerbose = share === 1 && own.chance(0.08)
  const strict = isVerbose ? 0 : share
  const seen =
    method === 'truncate' ? [{ startByte: 0, endByte: Math.min(documentBytes, 28_000) }] : undefined
  return makeRecord({
    task,
    lengthTokens,
    index,
    method,
    deviations: task.includes('multivalue')
      ? ['no essays at hand: licence texts instead', 'own word list']
      : [],
    taskOptions: isMulti ? { values: 4 } : {},
    seenInTraining: task === 'two-hop' ? undefined : task === 'facts-in-prose',
    workflow: method === 'overwrite' ? 'overwrite' : undefined,
    question: index === 3 ? `Who keeps ${hostileText}?` : 'Who keeps the lighthouse of Vardo?',
    references,
    match: isMulti ? 'all' : 'any',
    evidence,
    documentBytes,
    answer: hasFailed ? '' : isVerbose ? `It is ${answer}.` : answer,
    outcome: hasFailed ? 'failed' : answer === '' ? 'not-found' : 'found',
    metrics: hasFailed
      ? zeros(task)
      : { strict, lenient: share, ...(task.startsWith('ruler') ? { ruler: share } : {}) },
    ...(hasFailed
      ? { error: { code: 'chat/timeout', message: `No answer within 60 s: ${hostileText}` } }
      : {}),
    usage: {
      calls: method === 'overwrite' || method === 'refine' ? steps + 1 : 1,
      promptTokens: method === 'overwrite' || method === 'refine' ? Math.round(1.3 * lengthTokens) : 7000,
      completionTokens: method === 'overwrite' || method === 'refine' ? 40 * steps : 20,
      modelMs: 1000,
    },
    steps,
    seconds: 0.2 + (method === 'bm25' ? lengthTokens / 1e6 : method === 'truncate' ? 0 : lengthTokens / 4000),
    price: lengthTokens / 1e7,
    trace:
      method === 'overwrite'
        ? madeTrace(own, steps, evidence[0]!, right[0]!, documentBytes, lure, references)
        : [],
    seen,
    finishedAt: `2026-11-2${index % 2}T08:00:00.000Z`,
  })
}

const zeros = (task: string): Record<string, number> => ({
  strict: 0,
  lenient: 0,
  ...(task.startsWith('ruler') ? { ruler: 0 } : {}),
})

/** A right answer was captured and kept; a wrong one was lost, never captured, displaced by a lure or not used. */
function madeTrace(
  random: Random,
  steps: number,
  evidence: { readonly startByte: number },
  isRight: boolean,
  documentBytes: number,
  lure: string,
  references: readonly string[],
): TraceEntry[] {
  const width = documentBytes / steps
  const at = (step: number, memory: string, tokens = 30): TraceEntry => ({
    step,
    startByte: Math.floor(step * width),
    endByte: Math.floor((step + 1) * width),
    memory,
    tokens,
    origin: 'sampled',
  })
  const captured = Math.floor(evidence.startByte / width)
  const later = Math.min(steps - 1, captured + 1)
  const held = at(captured, `The lighthouse of Vardo is kept by ${references.join(', ')} since spring.`)
  if (isRight) return [held]
  const kind = random.int(6)
  if (kind === 0) return [held, at(later, `The lighthouse of Vardo is kept by ${lure}.`)]
  if (kind === 1) return [at(captured, 'The lighthouse of Vardo stands on a rock.')]
  if (kind === 2) return [held]
  if (kind === 3) return [at(captured, 'so it goes on so it goes on so it goes on')]
  if (kind === 4) return [held, at(later, 'The lighthouse of Vardo and very much besides', 100)]
  return [
    held,
    at(later, `Vardo is kept by ${references.join(', ')}.`),
    at(Math.min(steps - 1, later + 1), 'Vardo, rocks, ferries'),
  ]
}
