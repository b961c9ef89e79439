/**
 * Answers from the first chunk and refines the answer with every further one; the last one counts. After LangChain's refine
 * chain. An empty or refused response keeps the current answer.
 *
 * A model that knows only its own prompts is rejected: shown its answer as a memory, it would be the workflow `overwrite`
 * under another name.
 */
import {
  type Answer,
  type Chunk,
  ConfigurationError,
  chunkDocument,
  chunksOf,
  judgeResponse,
  type ModelProfile,
  rangeOf,
  withBudget,
} from '@memagent/core'
import { z } from 'zod'
import type { CostEstimate, TraceEntry } from '../method.ts'
import { overheadOf } from './estimates.ts'
import { seamTokens } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { type MethodRun, runMethod } from './method-run.ts'
import { readingOptions } from './options.ts'
import { answerPrompt, hasInstructions, ownPrompts, refinePrompt } from './prompts.ts'

const options = z.strictObject(readingOptions)

export const refine: MethodFactory<typeof options> = {
  description:
    'an answer from the first chunk, refined with each further one; for models that follow instructions',
  options,
  create: (name, overrides) => ({
    name,
    description: refine.description,
    answer: (request) =>
      runMethod(request, overrides, async (run) => {
        checkInstructions(run.profile)
        const refiner = await createRefiner(run)
        const trace: TraceEntry[] = []
        let answer = await refiner.first()
        let steps = 0
        const chunks = chunkDocument(request.document, {
          maxTokens: refiner.chunkTokens,
          mode: run.profile.chunking,
          tokenizer: run.textTokenizer,
          signal: run.signal,
        })
        for await (const chunk of chunks) {
          const next = await refiner.refine(answer, chunk)
          const memory = carried(next)
          if (memory !== carried(answer)) {
            const tokens = await run.context.countTokens(memory)
            trace.push({ step: chunk.ordinal, ...rangeOf(chunk), memory, tokens, origin: 'sampled' })
          }
          answer = next
          steps++
        }
        return { answer: answer ?? { text: '', outcome: 'not-found' }, trace, steps, seen: undefined }
      }),
    estimate(lengthTokens, profile) {
      checkInstructions(profile)
      return estimateRefine(lengthTokens, withBudget(profile, overrides))
    },
  }),
}

function checkInstructions(profile: ModelProfile): void {
  if (hasInstructions(profile)) return
  const { name } = profile
  throw new ConfigurationError({
    code: 'method/needs-instructions',
    message: `The method refine needs a model that follows instructions; the prompts of the profile ${name} hold none.`,
    hint: 'Leave refine out: with such a model it would be the workflow overwrite under another name.',
    details: { profile: name, prompts: ownPrompts(profile).name },
  })
}

/** The part of an answer that the next prompt shows. */
const carried = (answer: Answer | undefined): string => answer?.response?.trim() ?? ''

interface Refiner {
  readonly chunkTokens: number
  /** From notes taken before the document; undefined when there are none. */
  first(): Promise<Answer | undefined>
  refine(answer: Answer | undefined, chunk: Chunk): Promise<Answer | undefined>
}

const nothingSaid: Answer = { text: '', outcome: 'unsure', isUnusable: true }

async function createRefiner(run: MethodRun): Promise<Refiner> {
  const { question, context, profile } = run
  const { output, chunk } = profile.budget
  const empty = refinePrompt({ question, answer: '', text: '' })
  const room = (await run.textRoom(empty, 2 * output)) - seamTokens
  const ask = async (step: number, text: string, last?: Answer): Promise<Answer | undefined> => {
    const before = last === nothingSaid ? undefined : last
    const existing = await context.truncate(context.neutralize(carried(before)), output)
    const messages = before
      ? refinePrompt({ question, answer: existing, text })
      : answerPrompt({ question, text })
    const result = await run.ask(before ? 'refine' : 'answer', step, messages, output)
    const { answer, flaw } = judgeResponse(result)
    // A cut response is still used; an empty or refused one is not.
    return flaw && flaw.code !== 'answer-cut' ? (before ?? nothingSaid) : answer
  }
  return {
    chunkTokens: Math.min(chunk, room),
    // The notes are treated as a chunk before the first.
    first: async () => (run.notes === undefined ? undefined : ask(-1, run.notes)),
    refine: (answer, { ordinal, text }) => ask(ordinal, context.neutralize(text), answer),
  }
}

function estimateRefine(lengthTokens: number, profile: ModelProfile): CostEstimate {
  const { budget, chunking } = profile
  const { window, question, output } = budget
  const overhead = overheadOf(refinePrompt({ question: '', answer: '', text: '' }), profile)
  const chunk = Math.min(budget.chunk, Math.max(1, window - overhead - question - 2 * output))
  const chunks = chunksOf(lengthTokens, chunk, chunking)
  return {
    calls: chunks,
    promptTokens: lengthTokens + chunks * (overhead + question + output),
    completionTokens: chunks * output,
  }
}
