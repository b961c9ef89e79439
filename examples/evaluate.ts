/**
 * An evaluation in a script: two ways of answering, the same questions at two lengths, one JSON line for every sample; then
 * the lines are read again and counted. Run it twice: what is recorded is not asked again.
 *
 *   npm run example examples/evaluate.ts [RECORD]
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
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
// The bundled model was trained for `edits`; `skim-edits` reads in the same way.
const folder = dirname(fileURLToPath(import.meta.resolve('@memagent/nano/package.json')))
const model = await createEmbeddedChatModel({ folder })

const lengths = [300, 3000].map((lengthTokens) => ({ lengthTokens, samples: 12 }))
const summary = await runBenchmark({
  output,
  model,
  tasks: [{ name: 'door-codes', task: createTask(), lengths }],
  // All of the document, and what a search finds in it.
  methods: [{ method: await createMethod('edits') }, { method: await createMethod('skim-edits') }],
})
await model.close()
console.log(
  `${summary.planned} samples in ${output}, ${summary.asked} of them asked now, ${summary.failed} failed`,
)

// A line has everything about its sample: question, answer, metrics, cost, and every change of the memory.
const comparison = await readComparison([output], { reader: 'edits' })
console.log(writeMarkdown(accuracyTable(comparison)).text)

// Both methods answered the same questions, so they are compared sample by sample; a question's lengths belong together.
const [reader, skim] = comparison.readers
const pairs = pairBySample(skim!.observations, reader!.observations)
const { better, worse, pValue } = difference(pairs, metric('strict'))
console.log(
  `edits alone is right ${better} times, skim-edits alone ${worse} times (p = ${pValue.toPrecision(2)})`,
)

const missed = reader!.observations.find(({ metrics }) => metrics.strict !== 1)
if (missed) {
  const said = missed.answer === '' ? 'found no answer' : `says ${missed.answer}`
  console.log(`A miss: "${missed.question}" The reader ${said}; right is ${missed.references[0]}.`)
}
