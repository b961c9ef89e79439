/**
 * Writes the report of the bundled model's benchmark and, between their marks, the tables of README.md and docs/benchmark.md,
 * from the recorded lines alone: `npm run report:bench`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { analyse, collectObservations, estimateMean, type Observation, writeReport } from '@memagent/bench'

const recordFile = 'recipes/bench/results/nano.jsonl'
const reportFolder = 'recipes/bench/report'
const [startMark, endMark] = ['<!-- nano -->', '<!-- /nano -->']
/** In the order of the columns. */
const heads: Readonly<Record<string, string>> = {
  overwrite: 'reader',
  'map-reduce': 'map-reduce',
  bm25: 'BM25',
  'bm25:rounds=2': 'BM25, two rounds',
  truncate: 'truncated',
}

const collection = await collectObservations([recordFile])
const { observations } = collection
const lengths = [...new Set(observations.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)
const tasks = [...new Set(observations.map(({ task }) => task))]
const hasAnswer = ({ references }: Observation) => references.length > 0

/** Percent with its 95 % interval. */
function cell(set: readonly Observation[]): string {
  if (set.length === 0) return '–'
  const { value, low, high } = estimateMean(
    set.map(({ metrics, error }) => [error === undefined ? metrics.strict! : 0]),
  )
  return `${(100 * value).toFixed(1)} (${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)})`
}

function row(name: string, seen: string, set: readonly Observation[]): readonly string[] {
  const methods = Object.keys(heads).map((method) => set.filter((one) => one.method === method))
  const counts = [...new Set(methods.map(({ length }) => length))]
  return [name, seen, counts.join(' or '), ...methods.map(cell)]
}

function table(lengthTokens: number): string {
  const set = observations.filter((one) => one.lengthTokens === lengthTokens)
  const rows = tasks.map((task) => {
    const own = set.filter((one) => one.task === task && hasAnswer(one))
    return row(task, own[0]?.seenInTraining ? 'seen' : 'unseen', own)
  })
  const without = row(
    'no answer in the text: says so',
    '',
    set.filter((one) => !hasAnswer(one)),
  )
  const head = ['task', 'training', 'n', ...Object.values(heads)]
  const lines = [head, ['---', '---', ...head.slice(2).map(() => '--:')], ...rows, without]
  const title = `Documents of ${lengthTokens.toLocaleString('en-US')} tokens:`
  return [title, '', ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}

async function writeBetweenMarks(path: string, text: string): Promise<void> {
  const page = await readFile(path, 'utf8')
  const [start, end] = [page.indexOf(startMark), page.indexOf(endMark)]
  if (start < 0 || end < start) throw new Error(`${path} lacks ${startMark} and ${endMark}`)
  await writeFile(path, `${page.slice(0, start)}${startMark}\n\n${text}\n\n${page.slice(end)}`)
}

await writeBetweenMarks('docs/benchmark.md', lengths.map(table).join('\n\n'))
await writeBetweenMarks('README.md', table(lengths.at(-1)!))
for (const path of await writeReport(analyse(collection), reportFolder, ['markdown', 'html'])) {
  if (!path.endsWith('.svg')) console.log(path)
}
