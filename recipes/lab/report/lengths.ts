/** Section: the same questions at growing length, with and without rewards. */
import { type Block, type LinePlot, proportion, type TableRow } from '@memagent/bench'
import {
  amount,
  differenceCell,
  heading,
  notRecorded,
  number,
  paragraph,
  percent,
  shareCell,
  signed,
  stillMissing,
  whole,
} from './cells.ts'
import {
  atLength,
  difference,
  estimate,
  inMemory,
  lenient,
  lossOverLength,
  type Measure,
  pairUp,
  type ReadingPair,
  strict,
  sum,
  wasInMemory,
} from './comparison.ts'
import { type Contender, type Contenders, contenders, readingsOf, type Sweep } from './contenders.ts'
import type { Results } from './results.ts'

/** `among` tells a sweep's plots from the others'. */
const texts: Record<
  Sweep,
  { readonly title: string; readonly among: string; readonly introduction: string }
> = {
  lengths: {
    title: 'Growing length',
    among: '',
    introduction:
      'Eleven decoys of the same kind and three about the subject asked for, at every length. The no-RL arm is the best of the arms with more lessons by its accuracy at the length of training, the shortest one here.',
  },
  denseDecoys: {
    title: 'Growing length and decoys with it',
    among: ', decoys as dense everywhere',
    introduction:
      'The documents of training, only longer: twelve decoys of the same kind in every 2,000 tokens, and three about the subject asked for. The no-RL arm is the one of the section above.',
  },
  manyDecoys: {
    title: 'Growing length among many decoys',
    among: ', among many decoys',
    introduction:
      'Forty-four decoys of the same kind and twelve about the subject asked for, at every length; the shortest document that holds them is four times as long as those of training. The no-RL arm is that of the first sweep.',
  },
}

export function lengths(results: Results, sweep: Sweep = 'lengths'): Block[] {
  const { among, introduction, ...text } = texts[sweep]
  const title = heading(text.title)
  const all = contenders(results, sweep)
  if (!all) return [title, notRecorded]
  return [
    title,
    ...stillMissing(all.missing),
    paragraph(
      `${introduction} A question is drawn with all its readings where seeds are taken together. A failed reading is a wrong answer.`,
    ),
    {
      type: 'figure',
      caption: 'Bands are 95 % intervals.',
      plots: [
        plot(`Right answers${among}`, strict, all),
        plot(`The final memory has it${among}`, inMemory, all),
      ],
    },
    accuracy(all),
    ...advantage(all),
    losses(all),
    perRewrite(all),
    ...goals(all),
  ]
}

const grouped = ({ cold, noRl, rl }: Contenders): Contender[] =>
  [cold, noRl, rl].filter((contender) => contender !== undefined)

/** Seeds taken together, and each arm. */
const rowsOf = (all: Contenders) => [...(all.rl && all.rl.seeds.length > 1 ? [all.rl] : []), ...all.singles]

function plot(title: string, measure: Measure, all: Contenders): LinePlot {
  const lines = grouped(all).map((contender) => ({
    name: contender.name,
    series: contender.look,
    points: all.lengths
      .map((length) => ({ x: length, ...estimate(atLength(readingsOf(contender), length), measure) }))
      .filter(({ count }) => count > 0),
  }))
  return {
    type: 'lines',
    title,
    yTitle: '%',
    y: 'share',
    lines: lines.filter(({ points }) => points.length > 0),
  }
}

function accuracy(all: Contenders): Block {
  return {
    type: 'table',
    caption:
      'Right answers, and whether the memory holds the answer, %; 95 % intervals. Memory columns are over the questions that have an answer in the text',
    groupTitle: 'tokens',
    columns: [
      { title: 'arm' },
      ...['n', 'strict', 'lenient', 'in the final memory', 'in the memory at some step', 'failed'].map(
        number,
      ),
    ],
    rows: all.lengths.flatMap((length) =>
      rowsOf(all).flatMap((contender): TableRow[] => {
        const readings = atLength(readingsOf(contender), length)
        if (readings.length === 0) return []
        return [
          {
            group: whole(length),
            cells: [
              contender.name,
              whole(readings.length),
              shareCell(estimate(readings, strict)),
              percent(estimate(readings, lenient).value),
              shareCell(estimate(readings, inMemory)),
              percent(estimate(readings, wasInMemory).value),
              whole(readings.filter(({ hasFailed }) => hasFailed).length),
            ],
          },
        ]
      }),
    ),
  }
}

/** Rewards minus the other arms. */
function advantage({ rl, noRl, cold, lengths }: Contenders): Block[] {
  if (!rl || (!noRl && !cold)) return []
  return [
    {
      type: 'table',
      caption: `${rl.name}, minus the other arm on the same questions, percentage points; 95 % paired intervals`,
      groupTitle: 'tokens',
      columns: [{ title: 'minus' }, ...['questions', 'right answers', 'in the final memory'].map(number)],
      rows: lengths.flatMap((length) =>
        [noRl, cold].flatMap((other): TableRow[] => {
          if (!other) return []
          const pairs = against(other, rl, length)
          const right = difference(pairs, strict)
          if (right.pairs === 0) return []
          return [
            {
              group: whole(length),
              cells: [
                other.name,
                whole(sharedQuestions(pairs)),
                differenceCell(right),
                differenceCell(difference(pairs, inMemory)),
              ],
            },
          ]
        }),
      ),
    },
  ]
}

/** Every seed against the one list of readings of the other. */
const against = ({ seeds: [other] }: Contender, { seeds }: Contender, length: number): ReadingPair[] =>
  seeds.map((readings) => [atLength(other!, length), atLength(readings, length)])

const sharedQuestions = (pairs: readonly ReadingPair[]): number =>
  new Set(pairs.flatMap(pairUp).map(([{ index }]) => index)).size

function losses(all: Contenders): Block {
  const longer = all.lengths.slice(1)
  return {
    type: 'table',
    caption: `Points lost from ${whole(all.shortest)} tokens to each length, on the questions asked at both; below 0 is a gain; 95 % paired intervals`,
    groupTitle: 'arm',
    columns: [{ title: 'tokens' }, ...['readings', 'right answers', 'in the final memory'].map(number)],
    rows: rowsOf(all).flatMap((contender) =>
      longer.flatMap((length): TableRow[] => {
        const range = [all.shortest, length] as const
        const right = lossOverLength(contender.seeds, range, strict)
        if (right.pairs === 0) return []
        return [
          {
            group: contender.name,
            cells: [
              whole(length),
              whole(right.pairs),
              differenceCell(right),
              differenceCell(lossOverLength(contender.seeds, range, inMemory)),
            ],
          },
        ]
      }),
    ),
  }
}

function perRewrite(all: Contenders): Block {
  return {
    type: 'table',
    caption:
      'How often a rewrite loses the answer: rewrites with it in the memory before, and not after. 95 % Wilson intervals, in which every rewrite counts as one draw',
    groupTitle: 'arm',
    columns: [
      { title: 'tokens' },
      ...['rewrites with the answer in the memory', 'lost', 'lost per million'].map(number),
    ],
    rows: rowsOf(all).flatMap((contender) =>
      all.lengths.flatMap((length): TableRow[] => {
        const readings = atLength(readingsOf(contender), length)
        const held = sum(readings, ({ heldRewrites }) => heldRewrites)
        const lost = sum(readings, ({ losses }) => losses)
        if (held === 0) return []
        const { value, low, high } = proportion(lost, held)
        const perMillion = {
          value: amount(1e6 * value),
          notes: [`${amount(1e6 * low)}–${amount(1e6 * high)}`],
        }
        return [{ group: contender.name, cells: [whole(length), whole(held), whole(lost), perMillion] }]
      }),
    ),
  }
}

/** What was wanted, and what was measured, at the longest length that RL was measured at. */
function goals({ rl, noRl, shortest }: Contenders): Block[] {
  if (!rl) return []
  const longest = Math.max(...readingsOf(rl).map(({ lengthTokens }) => lengthTokens))
  if (longest === shortest) return []
  const loss = lossOverLength(rl.seeds, [shortest, longest], strict)
  const items = [
    `At most 2 points lost from ${whole(shortest)} to ${whole(longest)} tokens: ${signed(loss.value)} lost (${signed(loss.low)} to ${signed(loss.high)}); ${loss.value <= 0.02 ? 'reached' : 'not reached'}. The upper bound is ${loss.high <= 0.05 ? 'at most 5, so that the curve may be called flat' : 'above 5, so that the curve may not be called flat'}.`,
  ]
  if (noRl) {
    const gain = difference(against(noRl, rl, longest), strict)
    if (gain.pairs > 0) {
      items.push(
        `At least 15 points above the no-RL arm at ${whole(longest)} tokens: ${signed(gain.value)} (${signed(gain.low)} to ${signed(gain.high)}); ${gain.value >= 0.15 ? 'reached' : 'not reached'}.`,
      )
    }
  }
  return [paragraph('What was wanted, and what was measured:'), { type: 'list', items }]
}
