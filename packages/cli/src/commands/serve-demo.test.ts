/** `memagent serve --demo`, except for its model and the length of its text. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createScriptedModel, overwrite, type Workflow } from '@memagent/core'
import { listen } from '@memagent/server'
import { openRunStore } from '@memagent/store'
import { expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { beginSample, makeOwnStore } from './serve-demo.ts'

it('begins a reading of a sample in a place of its own, and says where it is seen', async () => {
  let said = ''
  const { store: own, remove } = makeOwnStore()
  try {
    const model = createScriptedModel(({ messages }) => {
      const prompt = messages.at(-1)!.content
      const found = prompt.includes('6008') ? '6008' : 'Nothing yet.'
      return /\\boxed/.test(prompt) ? `\\boxed{${found}}` : found
    })
    const budget = { window: 2000, question: 100, chunk: 600, memory: 40, output: 40 }
    const workflow = overwrite as unknown as Workflow
    const served = { id: 'reader', model, profile: { name: 'small', budget }, workflow }
    const store = await openRunStore(own)
    const server = await listen({ models: [served], store, uploads: `${own}.uploads`, port: 0 })
    await beginSample(server.url, { stderr: { write: (text) => (said += text) } }, 3000)
    const [, url, run] = /^Watch it: (\S+)\/#\/runs\/([0-9a-f]+)$/m.exec(said)!
    expect(url).toBe(server.url)
    const seen = async () => (await fetch(`${url}/api/runs/${run}`)).json()
    await expect.poll(seen, { timeout: 10_000 }).toMatchObject({
      ...{ state: 'finished', files: [{ name: 'sample.txt' }], result: { answer: '6008' } },
    })
    await server.stop()
    await store.close()
    expect(existsSync(own)).toBe(true)
  } finally {
    await remove()
  }
  expect(existsSync(dirname(own))).toBe(false)
  expect(said).toContain('What is the code for the Kortanis F367 mower?')
})

it('says where no folder can be made', async () => {
  const before = process.env.TMPDIR
  process.env.TMPDIR = '/nowhere/at-all'
  expect(makeOwnStore).toThrow(
    expect.objectContaining({
      message: 'No folder can be made in /nowhere/at-all: there is no such file.',
      hint: expect.stringContaining('TMPDIR'),
    }),
  )
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
})

it('is for this machine, and takes no settings', async () => {
  const { code, stderr } = await runMain(['serve', '--demo', '--address', '0.0.0.0', '--store', 'mine'], {})
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/--demo does not go with (?=.*--address)(?=.*--store)/),
  ])
})
