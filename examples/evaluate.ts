/**
 * An evaluation in a script: two ways of answering, the same questions at two lengths, one JSON line for every sample; then
 * the lines are read again and counted. Run it twice: what is recorded is not asked again.
 *
 *   npm run example examples/evaluate.ts [RECORD]
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type BenchRecord,
  createMethod,
  groupBy,
  pairedDifference,
  proportion,
  readRecordLines,
  runBenchmark,
  showProportion,
} from '@memagent/bench'
import { createEmbeddedChatModel } from '@memagent/engine'
import { createTask } from './own-task.ts'

const [output = 'runs/examples/evaluate.jsonl'] = process.argv.slice(2)
const folder = dirname(fileURLToPath(import.meta.resolve('@memagent/nano/package.json')))
const model = await createEmbeddedChatModel({ folder })

const lengths = [300, 3000].map((lengthTokens) => ({ lengthTokens, samples: 12 }))
const summary = await runBenchmark({
  output,
  model,
  tasks: [{ name: 'door-codes', task: createTask(), lengths }],
  // The reader, and what one window holds of the document.
  methods: [{ method: await createMethod('overwrite') }, { method: await createMethod('truncate') }],
})
await model.close()
console.log(
  `${summary.planned} samples in ${output}, ${summary.asked} of them asked now, ${summary.failed} failed`,
)

// A line has everything about its sample: question, answer, metrics, cost, and every change of the memory.
const records: BenchRecord[] = []
for await (const line of readRecordLines(output)) if ('record' in line) records.push(line.record)

const cells = groupBy(records, ({ lengthTokens, method }) => `${lengthTokens} tokens, ${method}`)
for (const [cell, samples] of cells) {
  const right = samples.filter(({ metrics }) => metrics.strict === 1).length
  const calls = samples.reduce((sum, { usage }) => sum + usage.calls, 0) / samples.length
  console.log(
    `${cell.padEnd(24)} right ${showProportion(proportion(right, samples.length))}, ${calls.toFixed(1)} calls each`,
  )
}

// Both methods answered the same questions, so they are compared question by question; a question's lengths belong together.
const scoreOf = (samples: readonly BenchRecord[], method: string) =>
  samples.find((record) => record.method === method)!.metrics.strict!
const questions = [...groupBy(records, ({ index }) => index).values()].map((samples) =>
  [...groupBy(samples, ({ lengthTokens }) => lengthTokens).values()].map(
    (pair) => [scoreOf(pair, 'truncate'), scoreOf(pair, 'overwrite')] as const,
  ),
)
const { better, worse, pValue } = pairedDifference(questions)
console.log(
  `overwrite alone is right ${better} times, truncate alone ${worse} times (p = ${pValue.toPrecision(2)})`,
)

const missed = records.find(({ method, metrics }) => method === 'overwrite' && metrics.strict !== 1)
if (missed) {
  const said = missed.answer === '' ? 'says that the text does not answer' : `says ${missed.answer}`
  console.log(`A miss: "${missed.question}" The reader ${said}; right is ${missed.references[0]}.`)
}
