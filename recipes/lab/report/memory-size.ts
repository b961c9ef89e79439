/** Section: the same questions with less and with more memory than in training. */
import { type Block, groupBy, type Line, type TableRow } from '@memagent/bench'
import { differenceCell, heading, notRecorded, number, shareCell, stillMissing, whole } from './cells.ts'
import { atLength, difference, estimate, inMemory, lengthsOf, strict } from './comparison.ts'
import type { Reading } from './reading.ts'
import { type Results, rlArms, series } from './results.ts'

/** `budget.memory` of the lab's readers. */
export const trainedMemory = 64

const wanted = ['cold', 'rl-1']

export function memorySize({ memory }: Results): Block[] {
  const title = heading('Size of the memory')
  if (memory.size === 0) return [title, notRecorded]
  const lengths = lengthsOf([...memory.values()].flat())
  const arms = [...memory].map(([name, readings]) => ({
    name,
    bySize: groupBy(readings, memoryTokens),
    look: lookOf(name),
  }))
  return [
    title,
    ...stillMissing(wanted.filter((name) => !memory.has(name))),
    {
      type: 'figure',
      caption: `Readers trained with ${trainedMemory} tokens of memory; bands are 95 % intervals.`,
      plots: lengths.map((length) => ({
        type: 'lines',
        title: `Right answers at ${whole(length)} tokens`,
        yTitle: 'strict, %',
        y: 'share',
        x: { title: 'tokens of the memory', scale: 'log' },
        lines: arms.flatMap(({ name, bySize, look }): Line[] => {
          const points = sorted(bySize).flatMap(([size, readings]) => {
            const right = estimate(atLength(readings, length), strict)
            return right.count === 0 ? [] : [{ x: size, ...right }]
          })
          return points.length === 0 ? [] : [{ name, series: look, points }]
        }),
      })),
    },
    {
      type: 'table',
      caption: `Right answers, and the difference to ${trainedMemory} tokens on the same questions, percentage points; 95 % intervals`,
      groupTitle: 'arm, tokens of the document',
      columns: [
        { title: 'tokens of the memory' },
        ...['n', 'strict, %', 'in the final memory, %', 'difference of right answers'].map(number),
      ],
      rows: arms.flatMap(({ name, bySize }) =>
        lengths.flatMap((length) =>
          sorted(bySize).flatMap(([size, all]): TableRow[] => {
            const readings = atLength(all, length)
            if (readings.length === 0) return []
            const trained = atLength(bySize.get(trainedMemory) ?? [], length)
            return [
              {
                group: `${name}, ${whole(length)}`,
                cells: [
                  `${size} (${size / trainedMemory} ×)`,
                  whole(readings.length),
                  shareCell(estimate(readings, strict)),
                  shareCell(estimate(readings, inMemory)),
                  size === trainedMemory ? '–' : differenceCell(difference([[trained, readings]], strict)),
                ],
              },
            ]
          }),
        ),
      ),
    },
  ]
}

const lookOf = (arm: string) =>
  arm === 'cold' ? series.cold : rlArms.includes(arm) ? series.rl + rlArms.indexOf(arm) : series.noRl

/** Methods are named `overwrite:memory=12`; without the option they have the memory of training. */
const memoryTokens = ({ method }: Reading): number =>
  Number(/\bmemory=(\d+)/.exec(method)?.[1] ?? trainedMemory)

const sorted = (bySize: ReadonlyMap<number, readonly Reading[]>) => [...bySize].sort(([a], [b]) => a - b)
