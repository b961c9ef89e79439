/**
 * The scaffold of the tasks that plant statements in prose. A task draws the question and the statements; this plants them,
 * labels the sample, and locates its evidence.
 */
import { type ByteRange, TaskError } from '@memagent/core'
import { z } from 'zod'
import { defineTask } from './define-task.ts'
import { createFact, type Fact, type Question } from './facts/facts.ts'
import { factKinds, kindNamed } from './facts/kinds.ts'
import type { Split } from './facts/pools.ts'
import { type PlacedStatement, plantStatements } from './prose/plant-statements.ts'
import { type ProseSource, wordsOf } from './prose/prose-source.ts'
import { withWordNoise } from './prose/word-noise.ts'
import { createRandom, type Random } from './random.ts'
import { sampleId } from './sample-id.ts'
import { namesOf, prose, share, shares } from './settings/task-options.ts'
import type { Note, Sample, SampleRequest, Task } from './task.ts'
import { questionsFor } from './templates.ts'
import { scoreAnswer } from './verifiers/score.ts'

export const split = z
  .enum(['train', 'eval'])
  .default('eval')
  .describe('Pool of names and values, of training or evaluation; they have none in common.')

/** Options common to these tasks. */
const commonOptions = {
  prose,
  split,
  templates: z
    .enum(['train', 'lessons', 'held-out', 'mixed'])
    .default('mixed')
    .describe(
      'Wordings of statements and questions: `train`; `lessons`, those of training and more like them; `held-out`, never used in training; or `mixed`, training and held-out wordings in turn, by index + seed. Held-out statements take any question of their kind.',
    ),
  wordNoise: shares
    .default(0)
    .describe(
      'Share of the words in statements that are replaced at random, so that lessons do not teach a few dozen wordings by heart; from a list, each document draws one.',
    ),
}

/** Share of the documents without the answer. @param what describes such documents */
export const absentShare = (value: number, what: string) =>
  share.default(value).describe(`Share of the documents ${what}, spread evenly over the samples.`)

/** Names of kinds of facts. */
export const kindsOf = (kinds: () => readonly string[], defaultIs: string) =>
  namesOf(() => factKinds().map(({ name }) => name))
    .default(kinds)
    .meta({ description: 'Kinds of facts to ask about.', defaultIs })

/** Names of every kind of fact but RULER's needles. */
export const ordinaryKinds = () =>
  factKinds()
    .filter((kind) => !kind.name.startsWith('ruler-'))
    .map((kind) => kind.name)

/** What a sample is drawn from. */
export interface Draws<Settings> {
  readonly request: SampleRequest
  readonly settings: Settings
  /** For the question and all statements: the same at every length. */
  readonly asked: Random
  /** For positions and prose: different at every length. */
  readonly placed: Random
  /** Templates for this sample, as held-out ones may take turns with those of training. */
  readonly templates: 'held-out' | 'train' | 'lessons'
  /** Whether the text contains the answer, according to `absentShare`. */
  readonly isPresent: boolean
}

/** The question and the statements of a sample. */
export interface DrawnSample {
  readonly question: Pick<Question, 'text'> & Partial<Question> & Pick<Sample, 'query'>
  /** In any order; at the same depth, the earlier in the list comes first. */
  readonly statements: readonly PlacedStatement[]
  /** Indices of the statements that contain the references, in their order; empty if the text does not answer. */
  readonly answers: readonly number[]
  /** @default the values of these statements */
  readonly references?: readonly string[]
  /** @default 'any' */
  readonly match?: Sample['match']
  /** Number of statements, from the first, that the answer rests on. @default unknown */
  readonly supporting?: number
  readonly memory?: string | undefined
  /**
   * What a perfect reader notes.
   * @param order indices of the statements it has read, in document order
   * @default the value of each answer, on its own line
   */
  notes?(order: readonly number[]): readonly StatementNote[]
  /** Added to those of question, split and depth. */
  readonly labels: Sample['labels']
}

/** A note that refers to its statement by index. */
export type StatementNote = Omit<Note, 'statement'> & { readonly statement: number }

export interface ProseTaskDefinition<Own extends z.ZodRawShape> {
  readonly name: string
  readonly description: string
  /** Added to the common ones. */
  readonly options: Own
  /** @default a generator forked from `asked` */
  placed?(request: SampleRequest): Random
  draw(draws: Draws<z.output<z.ZodObject<typeof commonOptions & Own>>>): DrawnSample
  /** @default scoreAnswer */
  readonly score?: Task['score']
}

/** A task that plants statements in prose, alternating its templates if they are mixed. */
export const defineProseTask = <Own extends z.ZodRawShape>({
  name,
  description,
  options,
  draw,
  placed: placedBy,
  score = scoreAnswer,
}: ProseTaskDefinition<Own>) =>
  defineTask({
    name,
    description,
    options: z.strictObject({ ...commonOptions, ...options }),
    create: (settings): Task => ({
      name,
      async sample(request) {
        const { index, seed, lengthTokens } = request
        const common = settings as CommonSettings
        const { templates, absentShare, prose, wordNoise } = common
        const asked = createRandom(name, seed, index)
        const placed = placedBy?.(request) ?? asked.fork('placed', lengthTokens)
        const isHeldOut = isHeldOutTurn(templates, index + seed)
        const drawn = draw({
          request,
          settings: settings as Parameters<typeof draw>[0]['settings'],
          asked,
          placed,
          templates: isHeldOut ? 'held-out' : templates === 'lessons' ? 'lessons' : 'train',
          isPresent: absentShare === undefined || !isAbsent(index + seed, absentShare),
        })
        const labels = { heldOutTemplate: isHeldOut, ...drawn.labels }
        const random = placed.fork('prose')
        const noise = createRandom(name, 'noise', seed, index)
        const share = noise.pick([wordNoise].flat())
        const statements = share === 0 ? drawn.statements : withWordNoise(drawn, share, wordsOf(prose), noise)
        return plantSample(name, request, common, { ...drawn, labels, statements }, random)
      },
      score,
    }),
  })

export const isHeldOutTurn = (templates: CommonSettings['templates'], position: number): boolean =>
  templates === 'held-out' || (templates === 'mixed' && position % 2 !== 0)

interface CommonSettings extends z.output<z.ZodObject<typeof commonOptions>> {
  readonly absentShare?: number
}

/** @throws TaskError when the statements do not fit the requested length */
export function plantSample(
  name: string,
  request: SampleRequest,
  { prose, split }: { readonly prose: ProseSource; readonly split: Split },
  { question, statements, answers, memory, supporting, labels, ...drawn }: DrawnSample,
  random: Random,
): Sample {
  const planted = plantStatements(name, request, prose, statements, random)
  const evidence = answers.map((answer) => planted.values[answer]!)
  const order = statements
    .map((_, i) => i)
    .sort((a, b) => planted.statements[a]!.startByte - planted.statements[b]!.startByte)
  const notesOf = (read: readonly number[]): Note[] => {
    const notes =
      drawn.notes?.(read) ??
      read
        .filter((i) => answers.includes(i))
        .map((i) => ({ statement: i, line: `${i}`, text: statements[i]!.value }))
    return notes.map((note) => ({ ...note, statement: planted.statements[note.statement]! }))
  }
  const isIn =
    ({ startByte, endByte }: ByteRange) =>
    (i: number) =>
      planted.statements[i]!.startByte >= startByte && planted.statements[i]!.endByte <= endByte
  return {
    id: sampleId(name, request),
    question: question.text,
    query: question.query,
    document: planted.document,
    memory,
    references: drawn.references ?? answers.map((answer) => statements[answer]!.value),
    match: drawn.match ?? 'any',
    evidence,
    ...(supporting === undefined ? {} : { supportingFacts: planted.statements.slice(0, supporting) }),
    statements: order.map((i) => planted.statements[i]!),
    notes: notesOf(order),
    notesIn: (part) => notesOf(order.filter(isIn(part))),
    labels: {
      ...(question.template === undefined ? {} : { questionTemplate: question.template }),
      ...(question.heldOut === undefined ? {} : { heldOutQuestion: question.heldOut }),
      ...labels,
      split,
      present: evidence.length > 0 || (supporting ?? 0) > 0,
      ...(evidence[0] === undefined ? {} : { depth: evidence[0].startByte / planted.sizeBytes }),
    },
  }
}

/** The indices below `count`. */
export const firstOf = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/**
 * Whether this is one of the documents without the answer: every fifth, for a share of 0.2. If that
 * period is even, every second period has it one place earlier: held-out templates alternate with the others, and would
 * otherwise get all or none of them.
 */
export function isAbsent(position: number, share: number): boolean {
  const period = Math.round(1 / share)
  if (period % 2 === 0 && Math.abs(period * share - 1) < 1e-9) {
    const isSecond = Math.floor(position / period) % 2
    return position % period === period - 1 - isSecond
  }
  return Math.floor((position + 1) * share + 1e-9) > Math.floor(position * share + 1e-9)
}

/**
 * A fact whose statement is held out of training or not, as the templates say, with a question.
 * @throws TaskError if none of the kinds has such statements
 */
export function drawAskedFact({
  asked,
  settings: { kinds, split },
  templates,
}: Pick<
  Draws<{ readonly kinds: readonly string[]; readonly split: Split }>,
  'asked' | 'settings' | 'templates'
>) {
  const suitable = kinds.filter((name) =>
    kindNamed(name).statements.some(({ heldOut }) => heldOut === (templates === 'held-out')),
  )
  if (suitable.length === 0) {
    throw new TaskError({
      code: 'task/no-template',
      message: `none of the kinds ${kinds.join(', ')} has ${templates} templates`,
    })
  }
  const fact = createFact(asked, { split, templates, kind: asked.pick(suitable) })
  const question = fact.question(asked.fork('question'), { templates: questionsFor(templates) })
  return { fact, question }
}

/** Labels of the fact that a sample is about. */
export const factLabels = (fact: Fact) => ({
  kind: fact.kind,
  template: fact.statementTemplate,
  heldOutKind: fact.kindHeldOut,
})
