/**
 * An answer from the first chunk, made better with every further one; the last one is the answer. After LangChain's refine
 * chain. An empty or refused response keeps the answer there is.
 *
 * A model that knows only its own prompts gets the existing answer as its memory and, where an update changes it, writes
 * the next answer from the changed memory: what is carried on is the answer, not the notes.
 */
import { type Answer, type Chunk, chunkDocument, overwrite } from '@memagent/core'
import { z } from 'zod'
import type { CostEstimate, TraceEntry } from '../method.ts'
import { rangeOf } from './byte-ranges.ts'
import { chunksOf, overheadOf } from './estimates.ts'
import { seamTokens, sectionTokens } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { type MethodRun, runMethod } from './method-run.ts'
import { readingOptions, withBudget } from './options.ts'
import { answerOf, answerPrompt, hasInstructions, refinePrompt } from './prompts.ts'

const options = z.strictObject(readingOptions)

export const refine: MethodFactory<typeof options> = {
  description: 'an answer from the first chunk, refined with each further one',
  options,
  create: (name, overrides) => ({
    name,
    description: refine.description,
    answer: (request) =>
      runMethod(request, overrides, async (run) => {
        const refiner = await (run.followsInstructions ? instructed(run) : withOwnPrompts(run))
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
          const memory = refiner.carried(next)
          if (memory !== refiner.carried(answer)) {
            const tokens = await run.context.countTokens(memory)
            trace.push({ step: chunk.ordinal, ...rangeOf(chunk), memory, tokens, origin: 'sampled' })
          }
          answer = next
          steps++
        }
        return { answer: answer ?? { text: '', outcome: 'not-found' }, trace, steps, seen: undefined }
      }),
    estimate: (lengthTokens, profile) => estimateRefine(lengthTokens, withBudget(profile, overrides)),
  }),
}

/** How a kind of model answers and refines. */
interface Refiner {
  readonly chunkTokens: number
  /** From what was noted before the document; undefined when there is nothing. */
  first(): Promise<Answer | undefined>
  refine(answer: Answer | undefined, chunk: Chunk): Promise<Answer | undefined>
  /** What the next prompt shows of an answer. */
  carried(answer: Answer | undefined): string
}

async function instructed(run: MethodRun): Promise<Refiner> {
  const { question, context, profile } = run
  const { output, chunk } = profile.budget
  const empty = refinePrompt({ question, answer: '', text: '' })
  const room = (await run.textRoom(empty, 2 * output)) - seamTokens
  const carried: Refiner['carried'] = (answer) => answer?.response?.trim() ?? ''
  const ask = async (step: number, text: string, before?: Answer): Promise<Answer | undefined> => {
    const existing = await context.truncate(context.neutralize(carried(before)), output)
    const messages = before
      ? refinePrompt({ question, answer: existing, text })
      : answerPrompt({ question, text })
    const result = await run.ask(before ? 'refine' : 'answer', step, messages, output)
    const { text: response, finishReason } = result
    if (response.trim() === '' || finishReason.unified === 'refusal') return before
    return answerOf(result)
  }
  return {
    chunkTokens: Math.min(chunk, room),
    // As if the notes were a chunk before the first.
    first: async () => (run.notes === undefined ? undefined : ask(-1, run.notes)),
    refine: (answer, { ordinal, text }) => ask(ordinal, context.neutralize(text), answer),
    carried,
  }
}

async function withOwnPrompts(run: MethodRun): Promise<Refiner> {
  const { question, context, notes } = run
  const carried: Refiner['carried'] = (answer) => answer?.text.trim() ?? ''
  return {
    chunkTokens: await sectionTokens(run),
    first: async () => (notes === undefined ? undefined : { text: notes, outcome: 'found' }),
    async refine(answer, chunk) {
      const before = { question, memory: carried(answer) || null, steps: chunk.ordinal }
      const { state } = await overwrite.read(before, chunk, context)
      const isSame = (state.memory?.trim() ?? '') === (before.memory ?? '')
      return isSame ? answer : overwrite.answer(state, question, context)
    },
    carried,
  }
}

function estimateRefine(
  lengthTokens: number,
  { prompts, budget, chunking }: ReturnType<typeof withBudget>,
): CostEstimate {
  const { window, question, memory, output } = budget
  if (!hasInstructions(prompts)) {
    const update = overheadOf(prompts.update({ question: '', memory: '', section: '' }), prompts)
    const answer = overheadOf(prompts.answer({ question: '', memory: '' }), prompts)
    const chunk = Math.min(budget.chunk, Math.max(1, window - update - question - 2 * memory))
    const chunks = chunksOf(lengthTokens, chunk, chunking)
    return {
      calls: 2 * chunks,
      promptTokens: lengthTokens + chunks * (update + answer + 2 * (question + memory)),
      completionTokens: chunks * (memory + output),
    }
  }
  const overhead = overheadOf(refinePrompt({ question: '', answer: '', text: '' }), prompts)
  const chunk = Math.min(budget.chunk, Math.max(1, window - overhead - question - 2 * output))
  const chunks = chunksOf(lengthTokens, chunk, chunking)
  return {
    calls: chunks,
    promptTokens: lengthTokens + chunks * (overhead + question + output),
    completionTokens: chunks * output,
  }
}
