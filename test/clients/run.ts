/**
 * Asks a gateway that runs the bundled model about a long text through every client, and fails if one gets another answer, is
 * not refused an unknown model, or leaves without stopping the reading.
 *
 *     npm run test:clients [-- --tokens 1000000 --only anthropic]
 */
import { parseArgs } from 'node:util'
import { expected, secondsToStop, serveBundled, statusOf, textOf, ways } from './ask-every-way.ts'

const { values } = parseArgs({
  options: { tokens: { type: 'string', default: '1000000' }, only: { type: 'string', default: '' } },
})
const served = await serveBundled()
const text = await textOf(Number(values.tokens))
console.log(`${values.tokens} tokens, ${Buffer.byteLength(text)} bytes`)
for (const [name, ask] of Object.entries(ways)) {
  if (!name.startsWith(values.only)) continue
  const started = performance.now()
  const { answer, promptTokens } = await ask({ url: served.url, text })
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${name}: ${answer} (${promptTokens} prompt tokens, ${seconds} s)`)
  const refused = await ask({ url: served.url, text: 'Hello', model: 'other' }).catch(statusOf)
  const stopped = await secondsToStop(ask, { url: served.url, text })
  console.log(`  unknown model: ${refused}; the server stops ${stopped.toFixed(1)} s after the client left`)
  if (answer !== expected || refused !== 404 || stopped > 5) process.exitCode = 1
}
served.child.kill('SIGINT')
const { stderr } = await served.ended
if (/failed/.test(stderr)) process.exitCode = 1
