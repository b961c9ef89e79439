/** The clients that people have, against the real command with the bundled model; `npm run test:clients` asks about more. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Served } from '../cli/serving.ts'
import { expected, secondsToStop, serveBundled, statusOf, textOf, ways } from './ask-every-way.ts'

let served: Served
let text: string
beforeAll(async () => {
  served = await serveBundled()
  text = await textOf(1500)
})
afterAll(() => served?.child.kill('SIGINT'))

const hasCurl = spawnSync('curl', ['--version']).status === 0

describe('the bundled model, served', () => {
  const clients = Object.keys(ways).filter((name) => hasCurl || !name.startsWith('curl'))

  it.each(clients)('answers %s', async (name) => {
    const { answer, reasoning, promptTokens } = await ways[name]!({ url: served.url, text })
    expect(answer).toBe(expected)
    expect(reasoning).toContain(expected)
    expect(promptTokens).toBeGreaterThan(1500)
  })

  it.each(clients)('refuses %s a model that is not there', async (name) => {
    const asking = ways[name]!({ url: served.url, text, model: 'other' })
    expect(await asking.catch(statusOf)).toBe(404)
  })

  it.each(clients)('stops reading when %s goes away', async (name) => {
    const long = text.repeat(40)
    // Waits until the reading has stopped.
    expect(await secondsToStop(ways[name]!, { url: served.url, text: long })).toBeGreaterThan(0)
  })

  it('stops on a signal without a word of the text', async () => {
    served.child.kill('SIGINT')
    const { code, stderr } = await served.ended
    expect(code).toBe(0)
    expect(stderr).not.toMatch(/North Gate|failed/)
  })
})
