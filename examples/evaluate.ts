/**
 * An evaluation in a script: two ways of answering, the same questions at two lengths, one JSON line for every sample; then
 * the lines are read again and counted. Run it twice: what is recorded is not asked again.
 *
 *   npm run example examples/evaluate.ts [RECORD]
 */
import { join } from 'node:path'
import {
  accuracyTable,
  createMethod,
  difference,
  metric,
  pairBySample,
  readComparison,
  runBenchmark,
  writeMarkdown,
} from '@memagent/bench'
import { createEmbeddedChatModel } from '@memagent/engine'
import { createTask } from './own-task.ts'

const [output = 'runs/examples/evaluate.jsonl'] = process.argv.slice(2)
// Trained for `overwrite`, in whose prompts `truncate` asks, too.
const folder = join(import.meta.dirname, '../recipes/nano/overwrite')
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
const comparison = await readComparison([output], { reader: 'overwrite' })
console.log(writeMarkdown(accuracyTable(comparison)).text)

// Both methods answered the same questions, so they are compared sample by sample; a question's lengths belong together.
const [reader, truncate] = comparison.readers
const pairs = pairBySample(truncate!.observations, reader!.observations)
const { better, worse, pValue } = difference(pairs, metric('strict'))
console.log(
  `overwrite alone is right ${better} times, truncate alone ${worse} times (p = ${pValue.toPrecision(2)})`,
)

const missed = reader!.observations.find(({ metrics }) => metrics.strict !== 1)
if (missed) {
  const said = missed.answer === '' ? 'says that the text does not answer' : `says ${missed.answer}`
  console.log(`A miss: "${missed.question}" The reader ${said}; right is ${missed.references[0]}.`)
}
