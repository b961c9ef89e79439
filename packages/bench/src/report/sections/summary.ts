/** What was measured, and what to know before reading any number. */
import type { Analysis } from '../analysis/analyse.ts'
import { keepsLength, lengthsOf } from '../analysis/lengths.ts'
import { isComparable } from '../analysis/series.ts'
import { isAnswerable, type TaskGroup } from '../analysis/task-group.ts'
import { type Block, warning } from '../block.ts'
import { count } from '../numbers.ts'
import { plainText } from '../plain-text.ts'
import { departuresTitle } from './departures.ts'
import { metricTitle, plural, programsOf } from './words.ts'

export function summary(analysis: Analysis): Block[] {
  const { observations, sources, series, tasks, metrics, withoutDepth } = analysis
  const failed = observations.filter(({ error }) => error !== undefined).length
  const cutLines = sources.reduce((sum, source) => sum + source.cutLines, 0)
  const days = observations.map(({ finishedAt }) => plainText(finishedAt.slice(0, 10))).sort()
  const [first, last] = [days[0]!, days.at(-1)!]
  const models = [...new Set(series.map(({ model }) => plainText(model)))]
  const titles = (list: readonly TaskGroup[]) => [...new Set(list.map(({ title }) => title))]
  const deviating = tasks.filter(({ deviations }) => deviations.length > 0)
  const untrained = series.filter((one) => !isComparable(one))
  const programs = programsOf(observations)
  const withAnswer = observations.filter(isAnswerable).length
  const without = observations.length - withAnswer
  return [
    { type: 'heading', level: 1, text: 'Benchmark report' },
    {
      type: 'list',
      items: [
        `${plural(observations.length, 'answer')} to samples of ${plural(titles(tasks).length, 'task')}, of ${lengthsTitle(observations)}`,
        `${count(withAnswer)} of them to questions with an answer, ${count(without)} to questions without one${withAnswer * without === 0 ? '' : '; the two are never counted together'}`,
        `${models.length === 1 ? 'Model' : 'Models'}: ${models.join(', ')}`,
        `Methods: ${series.map(({ name }) => name).join(', ')}${series.length > 1 ? `; the others are compared with ${series[0]!.name}` : ''}`,
        `Failed calls: ${count(failed)}; each counts as a wrong answer`,
        `Recorded ${first === last ? `on ${first}` : `from ${first} to ${last}`}${programs === undefined ? '' : `, by ${programs}`}`,
        ...(cutLines > 0
          ? [`${plural(cutLines, 'recorded line was', 'recorded lines were')} cut short and left out`]
          : []),
      ],
    },
    {
      type: 'paragraph',
      text: "Values are percent, with 95 % intervals: Wilson's for single answers of 0 or 1, Gaffke's for shares and for questions asked at several lengths. n counts samples, failed calls among them. Metrics are never mixed:",
    },
    { type: 'list', items: metrics.map((metric) => `${metricTitle(metric)}: ${meaningOf(metric)}`) },
    ...(observations.some(({ metrics, warnings }) => metrics.ruler !== undefined && warnings === undefined)
      ? [
          warning(
            'Some lines were recorded before responses were: there string match is of the answer alone, which may miss what the rest of the response said.',
          ),
        ]
      : []),
    ...(withoutDepth > 0
      ? [
          {
            type: 'paragraph' as const,
            text: `${plural(withoutDepth, 'answer')} to questions whose evidence stands in several places, or in none that is known, ${withoutDepth === 1 ? 'is' : 'are'} left out where positions are told apart.`,
          },
        ]
      : []),
    ...aboutLonger(analysis),
    ...(untrained.length === 0
      ? []
      : [
          warning(
            `The weights were not trained for ${untrained.map(({ method }) => method).join(', ')}: what is marked “not trained” says what these weights do, not what the method can, and is compared with nothing.`,
          ),
        ]),
    ...(deviating.length === 0
      ? []
      : [
          warning(
            `These tasks depart from the published ones and do not carry the benchmark's name: ${titles(deviating).join(', ')}. What differs is listed under ${departuresTitle}.`,
          ),
        ]),
  ]
}

/** Documents that are longer than asked, and stand under the length asked for. */
function aboutLonger({ cells }: Analysis): Block[] {
  const longer = cells.filter(({ task, ownLength }) => !task.keepsLength && ownLength > 0)
  if (longer.length === 0) return []
  const where = new Set(longer.map(({ task, lengthTokens }) => `${task.title} at ${count(lengthTokens)}`))
  return [
    warning(
      `Some documents are longer than asked, and kept their length: ${[...where].join(', ')}. The tables of the tasks say how many.`,
    ),
  ]
}

/** `1,000, 8,000 tokens and of their own length` */
function lengthsTitle(observations: Analysis['observations']): string {
  const lengths = lengthsOf(observations.filter((one) => !keepsLength(one)))
  return [
    ...(lengths.length === 0 ? [] : [`${lengths.map(count).join(', ')} tokens`]),
    ...(observations.some(keepsLength) ? ['their own length'] : []),
  ].join(' and of ')
}

const meanings: Readonly<Record<string, string>> = {
  strict: 'the answer is the reference and nothing else; where several are asked for, the share of them',
  lenient:
    'the answer contains the reference as whole words and numbers; where several are asked for, the share of them',
  ruler:
    "RULER's published metric, the share of references (or any one) that the final response contains as a string",
  sub_em: "MemAgent's published metric: the answer contains the reference or is a part of it, even “The”",
}

const meaningOf = (metric: string) => meanings[metric] ?? "the task's own metric"
