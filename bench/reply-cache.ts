/**
 * What the cache of replies costs a reading that finds nothing in it, recorded in `bench/results/reply-cache.json`:
 *
 *     npm run bench:cache [-- --pairs 6 --tokens 24000]
 *
 * The bundled model reads the same text as runs of one store, in turns with the cache and without. Each pair has a seed of its own, so
 * that nothing is found; the last reading of all finds everything.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTextDocument, readDocument } from '@memagent/core'
import { createEmbeddedChatModel } from '@memagent/engine'
import { openRunStore } from '@memagent/store'

const { values: options } = parseArgs({
  options: { pairs: { type: 'string', default: '6' }, tokens: { type: 'string', default: '24000' } },
})
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'reply-cache-'))
const store = await openRunStore(join(folder, 'runs.sqlite'))
const model = await createEmbeddedChatModel({ folder: join(root, 'models/nano'), threads: 1 })
const log = readFileSync(join(root, 'examples/harbour-log.txt'), 'utf8')
const wanted = Number(options.tokens)
let text = log
while ((await model.tokenizer.count(text)) < wanted) text += `\n${log}`
const document = createTextDocument(text)
const question = 'What is the access code for the South Gate?'

async function readingSeconds(seed: number, isCached: boolean) {
  const run = store.begin({ question, document: 'log', model: model.name, workflow: 'overwrite' })
  const startMs = performance.now()
  const reading = readDocument({
    question,
    document,
    model,
    sampling: { seed },
    checkpoints: run,
    cache: isCached ? run.replies : undefined,
  })
  for await (const event of reading) {
    if (event.type !== 'answer') continue
    const seconds = (performance.now() - startMs) / 1000
    await run.finish(event)
    return { seconds, usage: event.usage, steps: event.steps }
  }
  throw new Error('The reading has no answer.')
}

await readingSeconds(1000, false)
const ratios: number[] = []
let plain = 0
await readingSeconds(1001, true)
for (let pair = 0; pair < Number(options.pairs); pair++) {
  const seconds = { with: 0, without: 0 }
  for (const kind of pair % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
    const reading = await readingSeconds(pair, kind === 'with')
    if (reading.usage.fromCache) throw new Error('Something was found.')
    seconds[kind] = reading.seconds
  }
  ratios.push(seconds.with / seconds.without)
  plain += seconds.without
  console.log(`pair ${pair + 1}: ${(seconds.with / seconds.without).toFixed(3)}`)
}
const last = await readingSeconds(0, true)
const sorted = ratios.toSorted((a, b) => a - b)
const result = {
  machine: `${cpus()[0]?.model}, ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}`,
  node: process.versions.node,
  steps: last.steps,
  pairs: ratios.length,
  timeWithOverWithout: { median: sorted[sorted.length >> 1], least: sorted[0], most: sorted.at(-1) },
  timeFoundOverAsked: last.seconds / (plain / ratios.length),
  callsFound: last.usage.fromCache?.calls,
  callsMade: last.usage.calls,
}
console.log(JSON.stringify(result, undefined, 2))
writeFileSync(join(root, 'bench/results/reply-cache.json'), `${JSON.stringify(result, undefined, 2)}\n`)
await model.close()
await store.close()
rmSync(folder, { recursive: true })
