/** Reads a short text into the store again and again for a number of seconds; prints how many runs it finished. */
import {
  createScriptedModel,
  createTextDocument,
  paperProfile,
  readDocument,
  withBudget,
} from '@memagent/core'
import { openRunStore } from '@memagent/store'

const [location = '', name = '', seconds = ''] = process.argv.slice(2)
const document = createTextDocument(Array.from({ length: 60 }, (_, i) => `Guest ${i} came.`).join(' '))
const profile = withBudget(paperProfile, { chunk: 60 })
const store = await openRunStore(location)
const endMs = performance.now() + 1000 * Number(seconds)
let finished = 0
do {
  const question = `Who came, ${name} asks for the ${finished + 1}th time?`
  const respond = ({ messages }: { messages: readonly { content: string }[] }) =>
    messages.at(-1)!.content.includes('<section>') ? `A note of ${name}.` : '\\boxed{Ann}'
  const model = createScriptedModel(respond, { profile })
  const run = store.begin({ question, document: 'text', model: model.name, workflow: 'overwrite' })
  for await (const event of readDocument({ question, document, model, checkpoints: run })) {
    if (event.type === 'answer') await run.finish(event)
  }
  finished++
} while (performance.now() < endMs)
await store.close()
process.stdout.write(`${finished}\n`)
