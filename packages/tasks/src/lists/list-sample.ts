/** A sample of `several-values` or `all-mentions`, which ask for a list. */
import { fillTemplate } from '../facts/fill.ts'
import { loosen } from '../facts/loose-statement.ts'
import type { Split } from '../facts/pools.ts'
import type { Statement } from '../prose/plant-statements.ts'
import { type ProseSource, wordsOf } from '../prose/prose-source.ts'
import { type DrawnSample, type Draws, firstOf, type StatementNote } from '../prose-task.ts'
import type { Random } from '../random.ts'
import { questionsFor, templatesOf } from '../templates.ts'
import { correctList } from './correct-list.ts'
import { drawList, type ListCounts } from './draw-list.ts'
import type { ListKind } from './list-kinds.ts'

/** Each value once, at its first mention. */
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

export function listSample(
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
    /** Appended to the question. */
    readonly wanted: string
    readonly labels: DrawnSample['labels']
    /** Values to correct, in lists without repeats. */
    readonly corrected?: number
    /** For lists without lures, as these differ only in their words. */
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
