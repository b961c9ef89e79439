/** Lessons from tasks: a perfect reader reads short documents of a task, with chunks of many sizes. */
import {
  type ConversationTokens,
  type HuggingFaceTokenizer,
  type ModelProfile,
  TaskError,
  trainedFor,
} from '@memagent/core'
import {
  createTextProse,
  type ProseSource,
  type Random,
  type Sample,
  type Task,
  taskNamed,
} from '@memagent/tasks'
import { reasonToPassOver } from '../passed-over.ts'
import type { SftConfig, SftSkill, SftStage } from './config.ts'
import type { Group } from './lesson-groups.ts'
import type { ReadSection, TaughtConversation } from './perfect-course.ts'
import { perfectReading } from './perfect-reader.ts'
import type { ResponseWriter } from './response-writers.ts'
import type { Hint } from './section-hints.ts'

export interface TaskLessonSource {
  readonly prose: ProseSource
  readonly writer: ResponseWriter
  readonly tokenizer: HuggingFaceTokenizer
  readonly tokens: ConversationTokens
  readonly budget: SftConfig['budget']
  readonly notFound: string
  /** Skills by name. */
  readonly skills: SftConfig['skills']
}

/** Draws by weight. */
function drawSkill({ skills }: SftStage, random: Random) {
  const all = Object.entries(skills).map(([name, skill]) => ({ name, ...skill }))
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  let left = random.next() * total
  for (const skill of all) {
    left -= skill.weight
    if (left < 0) return skill
  }
  return all.at(-1)!
}

/** Wraps the prose of lessons for tasks. */
export const proseOfTexts = (texts: readonly string[]): ProseSource =>
  createTextProse('lessons', texts.join('\n\n'))

const made = new WeakMap<ProseSource, Map<string, Promise<Task>>>()

/** Reuses one task per skill and prose: tasks remember the lengths of paragraphs. */
function taskOf({ task: name, options }: SftSkill, prose: ProseSource): Promise<Task> {
  const known = made.get(prose) ?? new Map<string, Promise<Task>>()
  made.set(prose, known)
  const key = JSON.stringify([name, options])
  const task = known.get(key) ?? taskNamed(name)({ prose, ...options })
  known.set(key, task)
  return task
}

/**
 * The conversations of one document of a skill: every one that changes the memory, the answer, and some of the others. None
 * if the document cannot be read perfectly, is too short for its statements even at the greatest length, or has too long a
 * question.
 * @param onPassedOver called with the reason why such a document gives no lesson
 * @throws ConfigurationError, TaskError for a skill that gives none at all
 */
export async function drawTaskLesson(
  source: TaskLessonSource,
  stage: SftStage,
  random: Random,
  onPassedOver: (skill: string, reason: string) => void = () => undefined,
): Promise<Group[]> {
  const { tokenizer, tokens } = source
  const { name, lengths } = drawSkill(stage, random)
  const task = await taskOf(source.skills[name]!, source.prose)
  const [least, most] = lengths as [number, number]
  const request = {
    index: random.int(2 ** 31),
    seed: random.int(2 ** 31),
    countTokens: countWith(tokenizer),
  }
  const lengthTokens = random.between(least, most)
  const chunk = random.between(Math.min(48, stage.sectionTokens), stage.sectionTokens)
  const conversations = await readDrawn(source, chunk, async () => {
    try {
      return await task.sample({ ...request, lengthTokens })
    } catch (error) {
      // Long names need more room than most.
      if (!TaskError.isInstance(error) || error.code !== 'task/document-too-short') throw error
      return task.sample({ ...request, lengthTokens: most })
    }
  })
  if (typeof conversations === 'string') onPassedOver(name, conversations)
  const isHinted = random.chance(stage.hintShare)
  return (typeof conversations === 'string' ? [] : conversations)
    .filter(({ kind }) => kind !== 'kept' || random.chance(stage.keptShare))
    .map(({ messages, response, kind, section }) => {
      const prompt = tokens.prompt(messages)
      const branch = { tokens: tokens.response(messages, prompt.text, response), responseStart: 0 }
      return {
        trunk: prompt.tokens,
        hints: isHinted && section ? noteHints(prompt, section, tokenizer) : [],
        branches: [{ ...branch, name: `${name}/${kind}` }],
      }
    })
}

/** The conversations of a perfect reading, or why there is none: also where the notes are unknown. */
async function readDrawn(
  { writer, budget, tokenizer, notFound }: TaskLessonSource,
  chunk: number,
  draw: () => Promise<Sample>,
): Promise<readonly TaughtConversation[] | string> {
  // As for the trained model: a memory with nothing left is emptied.
  const workflows = trainedFor(writer.workflow)
  const profile: ModelProfile = {
    ...{ name: 'lessons', prompts: 'compact', budget: { ...budget, chunk } },
    workflows,
  }
  try {
    const sample = await draw()
    // Nothing noted would teach to know the answer from nowhere.
    if (!sample.notes) return 'Samples of the task do not say what to note.'
    const read = await perfectReading(sample, writer, profile, tokenizer, notFound)
    return (
      read ??
      'A statement lies across two chunks, the notes do not fit the memory, or they depend on one another.'
    )
  } catch (error) {
    const reason = reasonToPassOver(error)
    if (reason === undefined) throw error
    return reason
  }
}

/**
 * Whether to note each statement, as soon as it ends: the first token of the note if it can be copied, otherwise a token that
 * means yes or no.
 */
function noteHints(
  prompt: { readonly text: string; readonly tokens: readonly number[] },
  section: ReadSection,
  tokenizer: HuggingFaceTokenizer,
): Hint[] {
  const start = prompt.text.indexOf(section.text)
  const [yes, no] = [tokenizer.idOf('<memory>')!, tokenizer.idOf('<section>')!]
  return section.statements.flatMap(({ end, noted }) => {
    const before = tokenizer.encode(prompt.text.slice(0, start + end), { specialTokens: true })
    if (start < 0 || before.some((token, i) => token !== prompt.tokens[i])) return []
    if (noted === undefined) return [{ at: before.length - 1, token: no, name: 'skill-verdict-no' }]
    const token = noted !== '' && section.text.includes(noted) ? tokenizer.encode(` ${noted}`)[0]! : yes
    return [{ at: before.length - 1, token, name: 'skill-verdict-yes' }]
  })
}

const counters = new WeakMap<HuggingFaceTokenizer, (text: string) => number>()

/** Returns the same function for a tokenizer every time, since tasks remember paragraph counts by function. */
function countWith(tokenizer: HuggingFaceTokenizer): (text: string) => number {
  const known = counters.get(tokenizer) ?? ((text: string) => tokenizer.encode(text).length)
  counters.set(tokenizer, known)
  return known
}
