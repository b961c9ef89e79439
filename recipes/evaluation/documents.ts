/**
 * Reads documents with a model and records one JSON line for each. A run that was stopped goes on where it stopped; several
 * documents are read at the same time.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ChatModel, MemAgentError, type Outcome, readDocument, statedAnswer } from '@memagent/core'
import { containsReference, type Sample, type Task } from '@memagent/tasks'

export interface EvaluationJob {
  /** Names the line in the record. */
  readonly key: string
  readonly task: Task
  readonly lengthTokens: number
  readonly seed: number
  /** @default 0 */
  readonly index?: number
}

export interface EvaluationRecord {
  readonly key: string
  readonly task: string
  readonly lengthTokens: number
  readonly seed: number
  readonly tokens: number
  readonly bytes: number
  readonly labels: Sample['labels']
  readonly question: string
  readonly references: readonly string[]
  readonly answer: string
  readonly outcome: Outcome
  readonly memory: string
  readonly strict: number
  readonly lenient: number
  readonly steps: number
  readonly keptMemories: number
  /** Rewrites with the right value in the memory before, and how many of them lost it. */
  readonly heldRewrites: number
  readonly losses: number
  /** The step whose memory first held the right value; undefined when none did. */
  readonly capturedAt: number | undefined
  /** The first wrong value that the memory held, if any. */
  readonly wrongMemory: string | undefined
  readonly seconds: number
  readonly error?: string
}

/** The lines recorded so far; one that was cut short is left out. */
export async function readRecords(path: string): Promise<EvaluationRecord[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as EvaluationRecord] : []
    } catch {
      return []
    }
  })
}

export interface EvaluationOptions {
  /** With a tokenizer. */
  readonly model: ChatModel
  readonly jobs: readonly EvaluationJob[]
  /** JSON lines; jobs whose key is there are done. */
  readonly output: string
  /** Documents at the same time. */
  readonly parallel: number
}

/** After a kill the file may end within a record; what follows must not be lost with it. */
async function endLastLine(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '')
  if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n')
}

/** Runs the open jobs; Ctrl-C ends it, with exit code 130. Progress goes to standard error. */
export async function evaluateDocuments(options: EvaluationOptions): Promise<void> {
  const { model, output } = options
  await mkdir(dirname(output), { recursive: true })
  const finished = new Set((await readRecords(output)).map(({ key }) => key))
  await endLastLine(output)
  const open = options.jobs.filter(({ key }) => !finished.has(key))
  const interruption = new AbortController()
  const interrupt = () => interruption.abort(new Error('interrupted'))
  process.once('SIGINT', interrupt)
  process.stderr.write(`${options.jobs.length - open.length} documents are recorded, ${open.length} to go\n`)
  const total = open.reduce((sum, { lengthTokens }) => sum + lengthTokens, 0)
  const startMs = Date.now()
  let read = 0
  const work = async () => {
    for (let job = open.shift(); job && !interruption.signal.aborted; job = open.shift()) {
      const record = await evaluate(job, model, interruption.signal)
      await appendFile(output, `${JSON.stringify(record)}\n`)
      read += job.lengthTokens
      const rate = read / ((Date.now() - startMs) / 1000)
      const verdict = record.strict === 1 ? 'right' : 'wrong'
      const wanted = record.references.join(', ') || 'not in the text'
      process.stderr.write(
        `${record.key}: ${verdict} (${record.answer || (record.outcome === 'not-found' ? 'not in the text' : 'no answer')}; wanted ${wanted}); ${open.length} to go, ${Math.round(rate)} tokens/s, ${((total - read) / rate / 60).toFixed(0)} min\n`,
      )
    }
  }
  try {
    await Promise.all(Array.from({ length: options.parallel }, work))
  } catch (cause) {
    if (!interruption.signal.aborted) throw cause
    process.stderr.write('Interrupted; run the same command again to go on.\n')
    process.exitCode = 130
  } finally {
    process.off('SIGINT', interrupt)
  }
}

/** Reads one document and says what became of its answer. An abort throws; any other failure is a wrong answer. */
async function evaluate(
  { key, task, lengthTokens, seed, index = 0 }: EvaluationJob,
  model: ChatModel,
  signal: AbortSignal,
): Promise<EvaluationRecord> {
  const countTokens = (text: string) => model.tokenizer!.count(text) as number
  const sample = await task.sample({ index, seed, lengthTokens, countTokens })
  const holds = (memory: string) =>
    sample.references.some((reference) => containsReference(memory, reference))
  let [heldRewrites, losses, steps, tokens, bytes, keptMemories, seconds] = [0, 0, 0, 0, 0, 0, 0]
  let [answer, memory] = ['', '']
  let stated: string | undefined
  let outcome: Outcome = 'failed'
  let [capturedAt, wrongMemory, error]: [number | undefined, string | undefined, string | undefined] = [
    undefined,
    undefined,
    undefined,
  ]
  try {
    for await (const event of readDocument({
      question: sample.question,
      document: sample.document,
      memory: sample.memory,
      model,
      signal,
      acceptsSilence: true,
    })) {
      if (event.type === 'memory-end') {
        const [before, after] = [holds(event.previous), holds(event.memory)]
        if (before) heldRewrites++
        if (before && !after) losses++
        if (after) capturedAt ??= event.step
        else if (event.memory.trim() !== '') wrongMemory ??= event.memory
      } else if (event.type === 'answer') {
        ;({ steps, seconds, memory } = event)
        answer = event.answer.text
        outcome = event.answer.outcome
        stated = statedAnswer(event.answer)
        tokens = event.usage.chunkTokens
        bytes = event.usage.bytes
        keptMemories = event.usage.keptMemories
      }
    }
  } catch (cause) {
    signal.throwIfAborted()
    // A failed reading is a wrong answer, and is recorded as one.
    error = MemAgentError.isInstance(cause) ? `${cause.code}: ${cause.message}` : String(cause)
  }
  const score = error ? { strict: 0, lenient: 0 } : task.score(sample, stated)
  return {
    key,
    task: task.name,
    lengthTokens,
    seed,
    tokens,
    bytes,
    labels: sample.labels,
    question: sample.question,
    references: sample.references,
    answer,
    outcome,
    memory,
    strict: score.strict!,
    lenient: score.lenient!,
    steps,
    keptMemories,
    heldRewrites,
    losses,
    capturedAt,
    wrongMemory,
    seconds,
    ...(error ? { error } : {}),
  }
}
