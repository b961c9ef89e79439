/**
 * A task of one's own: it writes a document that holds an answer, asks for it, and scores what a reader says. The same file
 * serves benchmarks and training:
 *
 *   npm run example examples/own-task.ts                  shows one sample and scores two answers to it
 *   npm run memagent -- bench run --tasks module:path=examples/own-task.ts --methods edits --lengths 1k
 *   task: { name: module, options: { path: examples/own-task.ts, keys: 8 } }       in a configuration for `train rl`
 */
import { createTextDocument } from '@memagent/core'
import { createRandom, type SampleRequest, scoreAnswer, type Task } from '@memagent/tasks'

const buildings = ['Boat House', 'Chapel', 'Granary', 'Library', 'Mill', 'Observatory', 'Smithy', 'Stable']
const remarks = [
  'It rained until noon, and nobody came.',
  'The floor was swept and the lamps were filled.',
  'Two visitors asked for the way to the harbour.',
  'The clock in the hall is slow again.',
]

/** The options come from `--tasks module:path=...,keys=4` or from YAML; check what you are given. */
export function createTask({ keys = 4 }: { readonly keys?: number } = {}): Task {
  if (!Number.isInteger(keys) || keys < 1 || keys > buildings.length) {
    throw new RangeError(`keys must be a whole number from 1 to ${buildings.length}, got ${keys}`)
  }
  return {
    name: 'door-codes',

    // A pure function of seed, index and length: a run that is resumed draws the same samples again. The question depends
    // on seed and index alone, so that lengths can be compared.
    async sample({ seed, index, lengthTokens, countTokens }: SampleRequest) {
      const random = createRandom('door-codes', seed, index)
      const doors = random.shuffle(buildings).slice(0, keys)
      const codes = doors.map(() => String(random.between(10_000, 99_999)))
      const asked = random.int(keys)

      const entries = remarksOf(lengthTokens, countTokens, random.fork('remarks', lengthTokens))
      for (const [i, door] of doors.entries()) {
        const place = random.fork('place', lengthTokens, i).int(entries.length + 1)
        entries.splice(place, 0, `The access code for the ${door} is ${codes[i]}.`)
      }
      const text = entries.join('\n')
      const answer = codes[asked]!
      const startByte = Buffer.byteLength(text.slice(0, text.indexOf(answer)))

      return {
        id: `door-codes/seed-${seed}/index-${index}/tokens-${lengthTokens}`,
        question: `What is the access code for the ${doors[asked]}?`,
        document: createTextDocument(text),
        // Empty references would mean that the document does not answer; then no answer is the correct one.
        references: [answer],
        match: 'any',
        // Where the answer is. It lets a report say whether a missing answer was never noted or lost later.
        evidence: [{ startByte, endByte: startByte + answer.length }],
        labels: { keys },
      }
    },

    // Named metrics from 0 to 1: here `strict` and `lenient`, as the project's own tasks have them.
    score: scoreAnswer,
  }
}

function remarksOf(
  tokens: number,
  countTokens: SampleRequest['countTokens'],
  random: ReturnType<typeof createRandom>,
): string[] {
  const chosen: string[] = []
  for (let count = 0; count < tokens; count += countTokens(chosen.at(-1)!)) chosen.push(random.pick(remarks))
  return chosen
}

// Run directly, and not loaded by a benchmark.
if (process.argv[1] === import.meta.filename) {
  const task = createTask()
  const sample = await task.sample({
    seed: 1,
    index: 0,
    lengthTokens: 60,
    countTokens: (text) => text.length / 4,
  })
  for await (const { text } of sample.document.open()) console.log(text)
  console.log(`\n${sample.question}`)
  for (const answer of [sample.references[0], 'It is locked.'])
    console.log(answer, task.score(sample, answer))
}
