/**
 * Writes the training set to a file, question by question. A second file, `<out>.progress`, has one line per decision, so
 * that a killed run resumes where it stopped and asks no model twice.
 */
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { count, readTaskOptions } from '../settings/task-options.ts'
import { type SynthesisOptions, synthesizeRulerHqa } from './synthesize.ts'

export interface TrainingSetOptions extends Omit<SynthesisOptions, 'from'> {
  /** JSONL, for the task `jsonl`. */
  readonly out: string
  /** Number of rows to write; fewer if the questions run out. */
  readonly samples: number
  /** Names the model of the filter: a run can only be resumed with the same one. */
  readonly askedModel?: string | undefined
  readonly onDecision?: ((counts: { readonly kept: number; readonly dropped: number }) => void) | undefined
}

export interface TrainingSet {
  /** The kept questions, in the order of the rows. */
  readonly questions: readonly string[]
  readonly dropped: number
}

const decision = z.object({
  index: z.number(),
  question: z.string(),
  kept: z.boolean(),
  /** Size of the file of rows at this decision. */
  bytes: z.int(),
})
type Decision = z.output<typeof decision>

/**
 * @throws TaskError for wrong options and files, and for an unfinished run with other options; what `ask` throws, after which
 * another run can resume
 */
export async function writeTrainingSet(options: TrainingSetOptions): Promise<TrainingSet> {
  const { out, samples, askedModel, onDecision, ...synthesis } = options
  readTaskOptions('ruler-hqa', z.strictObject({ samples: count(1) }), { samples })
  const progress = `${out}.progress`
  const { path, documents = 200, seed = 1, ask, bestOf = 2 } = synthesis
  const settings = JSON.stringify({ path, documents, seed, bestOf: ask ? bestOf : 0, askedModel })
  const decided = await readProgress(progress, settings)
  if (decided.length === 0) {
    await writeFile(out, '')
    await writeFile(progress, `${settings}\n`)
  } else {
    // Anything written after the last decision is incomplete.
    await truncate(out, decided.at(-1)!.bytes)
    await writeFile(progress, [settings, ...decided.map((one) => JSON.stringify(one)), ''].join('\n'))
  }
  const questions = decided.flatMap(({ question, kept }) => (kept ? [question] : []))
  let dropped = decided.length - questions.length
  let bytes = decided.at(-1)?.bytes ?? 0
  if (questions.length >= samples) {
    return { questions, dropped }
  }
  for await (const { index, question, row } of synthesizeRulerHqa({ ...synthesis, from: decided.length })) {
    if (row !== undefined) {
      const line = `${JSON.stringify(row)}\n`
      await appendFile(out, line)
      bytes += Buffer.byteLength(line)
      questions.push(question)
    } else {
      dropped += 1
    }
    const decision: Decision = { index, question, kept: row !== undefined, bytes }
    await appendFile(progress, `${JSON.stringify(decision)}\n`)
    onDecision?.({ kept: questions.length, dropped })
    if (questions.length >= samples) {
      break
    }
  }
  return { questions, dropped }
}

/** Decisions of an earlier run, without a partial last line; none if there was no run. */
async function readProgress(path: string, settings: string): Promise<readonly Decision[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [before, ...lines] = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  if (before !== undefined && before !== '' && before !== settings) {
    throw new TaskError({
      code: 'task/other-options',
      message: `${path} belongs to a run with other options: ${before}`,
      hint: `Finish it with those, or delete it to start over with ${settings}.`,
      details: { path },
    })
  }
  return lines.flatMap((line, i) => (line === '' ? [] : [parseDecision(path, line, i)]))
}

function parseDecision(path: string, line: string, index: number): Decision {
  try {
    return decision.refine((one) => one.index === index).parse(JSON.parse(line))
  } catch (cause) {
    throw new TaskError({
      code: 'task/bad-progress',
      message: `${path}, line ${index + 2} is not a decision of a run: ${line.slice(0, 200)}`,
      hint: 'Delete the file to start over.',
      cause,
      details: { path },
    })
  }
}
