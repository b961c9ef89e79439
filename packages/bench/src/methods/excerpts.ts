/**
 * Answers from selected text of a document; shared by methods that select text first and ask once.
 *
 * All of them see as much text as one window holds beside question, instructions and answer. A model that follows
 * instructions gets it in one prompt. A model that knows only its own prompts (the bundled one) reads the same text in
 * consecutive sections of its chunk size and answers from its notes: text anywhere else in its prompts would test the form of
 * the prompt, not the selection.
 */
import { askForAnswer, chunkDocument, createTextDocument, mergeRanges, overwrite } from '@memagent/core'
import type { MethodResult, TraceEntry } from '../method.ts'
import type { MethodRun } from './method-run.ts'
import { answerPrompt } from './prompts.ts'

/** A contiguous piece of a document, with its UTF-8 byte range. */
export interface Excerpt {
  readonly text: string
  readonly startByte: number
  readonly endByte: number
}

export interface ExcerptSelection {
  /** In document order. */
  readonly excerpts: readonly Excerpt[]
  /** The excerpts are the whole document. @default false */
  readonly isWhole?: boolean
}

/** The range is known if the text comes from one place. */
type Section = Pick<Excerpt, 'text'> & Partial<Excerpt>

/** Between excerpts that are not adjacent. */
const gap = '\n\n...\n\n'
const compactGap = '\n\n'

/** Extra tokens for each gap between excerpts. */
export const gapTokens = (run: MethodRun) =>
  run.textTokenizer.count(run.followsInstructions ? gap : compactGap)

/**
 * @param choose selects text of at most this many tokens, gaps included; asked again for less if the joined text has more
 * tokens than its parts. If it selects nothing and there are no notes, the answer is "not found", without a call.
 */
export async function answerFromExcerpts(
  run: MethodRun,
  choose: (roomTokens: number) => Promise<ExcerptSelection>,
): Promise<Omit<MethodResult, 'usage'>> {
  return run.followsInstructions ? answerAtOnce(run, choose) : answerFromSections(run, choose)
}

async function answerAtOnce(run: MethodRun, choose: (roomTokens: number) => Promise<ExcerptSelection>) {
  const { question, profile, context, notes } = run
  const { output } = profile.budget
  const promptOf = (text: string) => {
    const parts = [notes ?? '', text].filter((part) => part !== '')
    // Neutralized after joining, so that two parts cannot form a marker.
    return answerPrompt({ question, text: context.neutralize(parts.join('\n\n')) })
  }
  let room = await run.textRoom(promptOf(''), output)
  for (;;) {
    const selection = await choose(room)
    const { excerpts } = selection
    if (excerpts.length === 0 && notes === undefined) return notFound(selection)
    const messages = promptOf(joined(excerpts, gap))
    const excess = -(await run.roomBeside(messages, output))
    if (excess > 0 && room > 0) {
      room = Math.max(0, room - excess)
      continue
    }
    const answer = await askForAnswer(messages, 0, context)
    return { answer, trace: [], steps: 1, seen: seenOf(selection) }
  }
}

async function answerFromSections(run: MethodRun, choose: (roomTokens: number) => Promise<ExcerptSelection>) {
  const { question, profile, context, notes } = run
  const { prompts } = context
  const start = overwrite.init(question)
  let state = notes === undefined ? start : overwrite.withMemory!(start, notes)
  const memory = notes ?? prompts.text('emptyMemory', {})
  const empty = prompts.messages('update', { question, memory, section: '' })
  const selection = await choose(await run.textRoom(empty, profile.budget.output))
  if (selection.excerpts.length === 0 && notes === undefined) return notFound(selection)
  const sections = await sectionsOf(run, selection.excerpts)
  const memoriesBefore = run.memories.length
  for (const [ordinal, { text }] of sections.entries()) {
    state = (await overwrite.read(state, { ordinal, text, ranges: [], tokens: 0 }, context)).state
  }
  const answer = await overwrite.answer(state, question, context)
  const trace = run.memories.slice(memoriesBefore).map(({ step, memory, tokens, origin }): TraceEntry => {
    const { startByte, endByte } = sections[step] ?? {}
    return { step, startByte, endByte, memory, tokens, origin }
  })
  return { answer, trace, steps: sections.length, seen: seenOf(selection) }
}

/** Tokens per section of the model's own prompts: a chunk, or less if the window is too small for one. */
export async function sectionTokens(run: MethodRun): Promise<number> {
  const { question, context } = run
  const { prompts, budget } = context
  const empty = prompts.messages('update', { question, memory: '', section: '' })
  return Math.min(budget.chunk, (await run.textRoom(empty, 2 * budget.memory)) - seamTokens)
}

/** Extra tokens that may arise where two texts of a prompt meet. */
export const seamTokens = 4

/** Combines excerpts that fit together into one section, and splits one that is too long. */
async function sectionsOf(run: MethodRun, excerpts: readonly Excerpt[]): Promise<Section[]> {
  const maxTokens = await sectionTokens(run)
  const sections: Section[] = []
  let together: Excerpt[] = []
  const end = () => {
    const [first, ...others] = mergeRanges(together)
    if (first) sections.push({ text: joined(together, compactGap), ...(others.length === 0 ? first : {}) })
    together = []
  }
  for (const excerpt of excerpts) {
    const text = joined([...together, excerpt], compactGap)
    if ((await run.textTokenizer.count(text)) <= maxTokens) {
      together.push(excerpt)
      continue
    }
    end()
    const chunks = chunkDocument(createTextDocument(excerpt.text), {
      maxTokens,
      tokenizer: run.textTokenizer,
      signal: run.signal,
    })
    for await (const { text, ranges } of chunks) {
      // The last piece may leave room for the next excerpt.
      end()
      const [{ startByte, endByte } = { startByte: 0, endByte: 0 }] = ranges
      together = [{ text, startByte: excerpt.startByte + startByte, endByte: excerpt.startByte + endByte }]
    }
  }
  end()
  return sections
}

/** Joins adjacent excerpts directly; white space beside a gap is part of the gap. */
function joined(excerpts: readonly Excerpt[], between: string): string {
  let [text, end] = ['', excerpts[0]?.startByte]
  for (const excerpt of excerpts) {
    if (excerpt.startByte === end) text += excerpt.text
    else text = `${text.trimEnd()}${between}${excerpt.text.trimStart()}`
    end = excerpt.endByte
  }
  return text
}

const seenOf = ({ excerpts, isWhole }: ExcerptSelection) => (isWhole ? undefined : mergeRanges(excerpts))

const notFound = (selection: ExcerptSelection): Omit<MethodResult, 'usage'> => ({
  answer: { text: '', outcome: 'not-found' },
  trace: [],
  steps: 0,
  seen: seenOf(selection),
})
