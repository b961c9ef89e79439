/**
 * Lists: a text tells several things of one kind about a subject, each in its own place, and all of them are wanted: the
 * ports a ship called at, the visitors of a building. One task under two names, which recorded results use:
 *
 * - `several-values`, for training: a few values, scored by the share found. After RULER's multi-value needles (arXiv
 *   2404.06654) with MemAgent's fractional reward |found| / |wanted| (arXiv 2507.02259v1, eq. 7).
 * - `all-mentions`, for evaluation: relations that training does not have. The question does not say how many there are; some
 *   are told twice, and lures only look like one. Scored by precision and recall.
 */
import { lazy } from './data/load-data.ts'
import { fillTemplate } from './facts/fill.ts'
import { loosen } from './facts/loose-statement.ts'
import type { Split } from './facts/pools.ts'
import { correctList } from './lists/correct-list.ts'
import { drawList, type ListCounts, type ListKind, loadListKinds } from './lists/draw-list.ts'
import type { Statement } from './prose/plant-statements.ts'
import { type ProseSource, wordsOf } from './prose/prose-source.ts'
import { type DrawnSample, type Draws, defineProseTask, firstOf, type StatementNote } from './prose-task.ts'
import type { Random } from './random.ts'
import { count, counts, namesOf, share } from './settings/task-options.ts'
import { questionsFor, templatesOf } from './templates.ts'
import { scoreItems } from './verifiers/listed-items.ts'
import { scoreAnswer } from './verifiers/score.ts'

export const collections = lazy(() => loadListKinds('lists/several-values.yaml'))
export const mentionRelations = lazy(() => loadListKinds('lists/all-mentions.yaml'))

/** Some of these kinds. */
export const kindNames = (kinds: () => readonly { readonly name: string }[]) => {
  const names = () => kinds().map(({ name }) => name)
  return namesOf(names)
    .default(names)
    .meta({ description: 'What questions are about.', defaultIs: 'every one' })
}

export const severalValues = defineProseTask({
  name: 'several-values',
  description: 'A list of two to six values of one subject, each stated in another place.',
  options: {
    values: counts(2, 6)
      .default([2, 3, 4, 5, 6])
      .describe('Number of values in the answer, or a list of numbers to draw from.'),
    distractors: count(0).default(4).describe('Values of other subjects, half of which have a similar name.'),
    corrected: counts(0)
      .default(0)
      .describe(
        'How many of the values the text corrects later, so that the new ones are wanted: a number, or a list to draw from.',
      ),
    looseShare: share
      .default(0)
      .describe(
        'Share of the documents in which some or all words of the statements are replaced at random: training on a few wordings must not teach their words.',
      ),
    collections: kindNames(collections),
  },
  draw(draws) {
    const { asked, settings } = draws
    const values = asked.fork('values').pick([settings.values].flat())
    return listSample(draws, {
      kind: kindOf(asked.fork('collection').pick(settings.collections), collections()),
      told: asked.fork('facts'),
      further: asked,
      counts: { items: values, repeats: 0, lures: 0, distractors: settings.distractors },
      wanted: 'List all of them, separated by semicolons.',
      labels: { values },
      corrected: asked.fork('corrected-count').pick([settings.corrected].flat()),
      looseShare: settings.looseShare,
    })
  },
})

/** Metrics: `precision`, `recall` and `f1` of the listed items, `strict` and `lenient`. */
export const allMentions = defineProseTask({
  name: 'all-mentions',
  description:
    'Everything the text mentions about one subject, in many places, some of it twice, among lures.',
  options: {
    mentions: counts(1).default([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).meta({
      description: 'Items to find: a number, or a list to draw from.',
      defaultIs: '2 to 12',
    }),
    repeats: count(0).default(2).describe('Most items that are mentioned a second time.'),
    lures: count(0).default(4).describe('Sentences about the same subject that are not part of the answer.'),
    distractors: count(0).default(6).describe('Least number of mentions of other subjects.'),
    decoysPer200k: count(0)
      .default(8)
      .describe('Mentions of other subjects per 200,000 tokens, if that gives more than `distractors`.'),
    relations: kindNames(mentionRelations),
  },
  draw(draws) {
    const { asked, settings, request } = draws
    const counts = {
      items: asked.fork('count').pick([settings.mentions].flat()),
      repeats: settings.repeats,
      lures: settings.lures,
      distractors: Math.max(
        settings.distractors,
        Math.ceil((settings.decoysPer200k * request.lengthTokens) / 200_000),
      ),
    }
    const told = asked.fork('drawn')
    const drawn = listSample(draws, {
      kind: kindOf(asked.fork('relation').pick(settings.relations), mentionRelations()),
      told: told.fork('mentions'),
      further: told,
      counts,
      wanted: 'List every one that the text mentions, separated by semicolons.',
      labels: { mentions: counts.items, lures: counts.lures },
    })
    const repeats = Math.min(counts.items, counts.repeats)
    return { ...drawn, supporting: counts.items + repeats, labels: { ...drawn.labels, repeats } }
  },
  score: (sample, answer) => ({
    ...scoreItems(answer ?? '', sample.references),
    ...scoreAnswer(sample, answer),
  }),
})

/** Each value once, where the text mentions it first. */
export function firstMentions(
  order: readonly number[],
  mentions: readonly Statement[],
): (StatementNote & { readonly text: string })[] {
  const known = new Set<string>()
  return order.flatMap((statement) => {
    const text = mentions[statement]?.value
    if (text === undefined || known.has(text)) return []
    known.add(text)
    return [{ statement, line: text, text }]
  })
}

/** A name that the options allow. */
export const kindOf = <Kind extends { readonly name: string }>(name: string, kinds: readonly Kind[]): Kind =>
  kinds.find((kind) => kind.name === name)!

function listSample(
  {
    asked,
    placed,
    settings: { split, prose },
    templates,
  }: Draws<{ readonly split: Split; readonly prose: ProseSource }>,
  {
    kind,
    told,
    further,
    counts,
    wanted,
    labels,
    corrected = 0,
    looseShare = 0,
  }: {
    readonly kind: ListKind
    readonly told: Random
    readonly further: Random
    readonly counts: ListCounts
    /** Ends the question. */
    readonly wanted: string
    readonly labels: DrawnSample['labels']
    /** Of lists without repeats. */
    readonly corrected?: number
    /** Of lists without lures, which only their words tell apart. */
    readonly looseShare?: number
  },
): DrawnSample {
  const drawn = drawList(told, further, kind, counts, split, templates)
  const loose = asked.fork('loose')
  const isLoose = loose.chance(looseShare)
  const worded = <Told extends Statement>(told: Told, subject: string) =>
    isLoose ? loosen({ ...told, subject }, wordsOf(prose), loose) : told
  const { text: template, heldOut } = asked
    .fork('question')
    .pick(templatesOf(kind.questions, questionsFor(templates)))
  const { text: query } = fillTemplate(template, { random: asked, split, subject: drawn.subject })
  const depths = placed.fork('depths')
  const later = placed.fork('corrected-depths')
  const retold = correctList(asked.fork('corrected'), drawn, kind, corrected, split, templates)
  const planted = [
    ...[...drawn.items, ...drawn.repeats, ...drawn.lures].map((told) => worded(told, drawn.subject)),
    ...drawn.distractors.map((told) => worded(told, told.subject)),
  ].map((statement) => ({ ...statement, depth: depths.next() }))
  const right = (item: number) => {
    const i = retold.findIndex((one) => one.item === item)
    return i < 0 ? item : planted.length + i
  }
  return {
    question: { text: `${query} ${wanted}`, query, template, heldOut },
    statements: [
      ...planted,
      ...retold.map(({ item, correction }) => {
        const { depth } = planted[item]!
        return { ...correction, depth: depth + later.next() * (1 - depth) }
      }),
    ],
    answers: firstOf(counts.items).map(right),
    match: 'all',
    notes: (order) => {
      const mentions = firstMentions(order, [...drawn.items, ...drawn.repeats])
      const replaced = retold.map(({ item, correction }) => ({
        statement: right(item),
        line: drawn.items[item]!.value,
        text: correction.value,
      }))
      return [...mentions, ...replaced].sort(
        (a, b) => order.indexOf(a.statement) - order.indexOf(b.statement),
      )
    },
    labels: {
      kind: kind.name,
      decoys: counts.lures + counts.distractors,
      ...labels,
      ...(corrected > 0 && { corrected }),
    },
  }
}
