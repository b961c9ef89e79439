/**
 * Reads every chunk separately with the question, several at a time; merges the notes in groups until they fit one prompt,
 * and answers from them. After LangChain's map_reduce chain. Duplicate notes and notes that found nothing are dropped.
 *
 * With a model that knows only its own prompts, a note is an update of an empty memory, a merge is an update with the
 * notes as the section, and the answer is written from what fits its memory.
 */
import {
  type Answer,
  acceptMemory,
  askForAnswer,
  type ChatResult,
  type Chunk,
  ConfigurationError,
  chunkDocument,
  concurrently,
  overwrite,
  withBudget,
} from '@memagent/core'
import { z } from 'zod'
import { longestPrefix } from './cut-to-tokens.ts'
import { seamTokens, sectionTokens } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { estimateMapReduce } from './map-reduce-estimate.ts'
import { type MethodRun, runMethod } from './method-run.ts'
import { count, readingOptions } from './options.ts'
import { answerPrompt, isPhrase, mergePrompt, notePrompt, nothingPhrase } from './prompts.ts'

const options = z.strictObject({
  ...readingOptions,
  concurrency: count.default(8).describe('Calls at a time.'),
})

export const mapReduce: MethodFactory<typeof options> = {
  description: 'notes from every chunk on its own, merged until they fit one prompt',
  options,
  unnamed: ['concurrency'],
  create: (name, { concurrency, ...overrides }) => ({
    name,
    description: mapReduce.description,
    answer: (request) =>
      runMethod(request, overrides, async (run) => {
        const reader = await (run.followsInstructions ? instructed(run) : withOwnPrompts(run))
        const notes = new Set(run.notes === undefined ? [] : [run.notes])
        const chunks = chunkDocument(request.document, {
          maxTokens: reader.chunkTokens,
          mode: run.profile.chunking,
          tokenizer: run.textTokenizer,
          signal: run.signal,
        })
        let steps = 0
        for await (const note of concurrently(chunks, concurrency, reader.note, run.stop)) {
          if (note !== undefined) notes.add(note)
          steps++
        }
        const merged = await merge([...notes], reader, run, { steps, concurrency })
        const answer = merged === undefined ? nothingNoted : await reader.answer(merged)
        return { answer, trace: [], steps, seen: undefined }
      }),
    estimate: (lengthTokens, profile) => estimateMapReduce(lengthTokens, withBudget(profile, overrides)),
  }),
}

const nothingNoted: Answer = { text: '', outcome: 'not-found' }

/** How one kind of model takes, merges and uses notes. */
interface NoteReader {
  readonly chunkTokens: number
  /** Tokens of notes that fit into one merge, and into the answer prompt. */
  readonly mergeTokens: number
  readonly answerTokens: number
  readonly between: string
  /** Undefined when there is nothing to note. */
  note(chunk: Pick<Chunk, 'ordinal' | 'text'>): Promise<string | undefined>
  merge(notes: string, step: number): Promise<string | undefined>
  answer(notes: string): Promise<Answer>
}

async function instructed(run: MethodRun): Promise<NoteReader> {
  const { question, context, profile } = run
  const { budget } = profile
  const noteOf = (result: ChatResult, step: number) => {
    const { origin } = acceptMemory(result, { previous: '', maxTokens: budget.memory, step }, context)
    return origin === 'kept' || isPhrase(result.text, nothingPhrase) ? undefined : clipped(result.text, run)
  }
  const noteRoom = await run.textRoom(notePrompt({ question, text: '' }), budget.memory)
  const mergeRoom = await run.textRoom(mergePrompt({ question, notes: '' }), budget.memory)
  const answerRoom = await run.textRoom(answerPrompt({ question, text: '' }), budget.output)
  return {
    chunkTokens: Math.min(budget.chunk, noteRoom - seamTokens),
    mergeTokens: mergeRoom - seamTokens,
    answerTokens: answerRoom - seamTokens,
    between: '\n\n',
    async note({ text, ordinal }) {
      const messages = notePrompt({ question, text: context.neutralize(text) })
      return noteOf(await run.ask('note', ordinal, messages, budget.memory), ordinal)
    },
    merge: async (notes, step) =>
      noteOf(
        await run.ask(
          'merge',
          step,
          mergePrompt({ question, notes: context.neutralize(notes) }),
          budget.memory,
        ),
        step,
      ),
    async answer(notes) {
      const messages = answerPrompt({ question, text: context.neutralize(notes) })
      return askForAnswer(messages, 0, context)
    },
  }
}

async function withOwnPrompts(run: MethodRun): Promise<NoteReader> {
  const { question, context, profile } = run
  const maxTokens = await sectionTokens(run)
  const note: NoteReader['note'] = async ({ ordinal, text }) => {
    const before = { ...overwrite.init(question), steps: ordinal }
    const { state } = await overwrite.read(before, { ordinal, text, ranges: [], tokens: 0 }, context)
    return state.memory === null ? undefined : clipped(state.memory, run)
  }
  return {
    chunkTokens: maxTokens,
    mergeTokens: maxTokens,
    answerTokens: profile.budget.memory,
    between: '; ',
    note,
    merge: (notes, step) => note({ ordinal: step, text: notes }),
    answer: (notes) =>
      overwrite.answer(overwrite.withMemory!(overwrite.init(question), notes), question, context),
  }
}

/**
 * Merges until the notes fit the answer prompt; undefined if there are none. If a merge returns nothing, the beginning of its
 * notes is kept.
 */
async function merge(
  all: readonly string[],
  reader: NoteReader,
  run: MethodRun,
  { steps, concurrency }: { readonly steps: number; readonly concurrency: number },
): Promise<string | undefined> {
  const { between } = reader
  const { count } = run.textTokenizer
  let notes = all
  let step = steps
  for (;;) {
    const together = notes.join(between)
    if (notes.length < 2 || (await count(together)) <= reader.answerTokens) {
      return together === '' ? undefined : longestPrefix(together, reader.answerTokens, count)
    }
    const groups = await grouped(notes, reader, run)
    const work = async (group: readonly string[]) => {
      const text = group.join(between)
      return group.length === 1 ? text : ((await reader.merge(text, step++)) ?? clipped(text, run))
    }
    const merged: string[] = []
    for await (const note of concurrently(groups, concurrency, work, run.stop)) merged.push(note)
    notes = [...new Set(merged)]
  }
}

/** Groups as many notes as fit one merge, at least two. @throws ConfigurationError when the window is too small for two */
async function grouped(
  notes: readonly string[],
  { mergeTokens, between }: NoteReader,
  run: MethodRun,
): Promise<readonly (readonly string[])[]> {
  const { count } = run.textTokenizer
  const groups: string[][] = []
  for (const note of notes) {
    const last = groups.at(-1)
    if (last && (await count([...last, note].join(between))) <= mergeTokens) last.push(note)
    else groups.push([note])
  }
  if (groups.length < notes.length) return groups
  throw new ConfigurationError({
    code: 'method/window-too-small',
    message: `The window of ${run.profile.budget.window} tokens has no room for two notes of ${run.profile.budget.memory}.`,
    hint: 'Raise the window if the model has a larger one, or lower the memory.',
    details: { mergeTokens, ...run.profile.budget },
  })
}

/** Neutralized and cut to the memory's budget. */
const clipped = (text: string, { context, profile }: MethodRun) =>
  context.truncate(context.neutralize(text.trim()), profile.budget.memory)
