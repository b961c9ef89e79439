/** `memagent notes` as a person or a script runs it. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteNumbers } from './note-numbers.ts'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const path = (name: string) => folder.join(name)
let server: StubServer
beforeAll(async () => {
  server = await createStubServer({ respond: noteNumbers })
  await writeFile(path('one.txt'), 'First comes 17.')
  await writeFile(path('two.txt'), 'Then comes 23.')
  await writeFile(path('nothing.txt'), 'Nobody came.')
})
afterAll(() => server.close())

describe('memagent notes', { timeout: 60_000 }, () => {
  const notes = (...args: string[]) =>
    runCommand(['notes', '--model', 'openai:stub', '--base-url', server.baseUrl, '--quiet', ...args])

  it('prints the notes, as text or JSON, and goes on from its checkpoint', async () => {
    const checkpoint = ['--checkpoint', path('notes.json')]
    const { stdout, code } = await notes(path('one.txt'), path('two.txt'), ...checkpoint)
    expect([stdout, code]).toEqual(['17 23\n', 0])
    const again = await notes(path('one.txt'), path('two.txt'), ...checkpoint, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ notes: '17 23', steps: 1, usage: { calls: 1 } })
  })

  it('says when nothing was noted', async () => {
    const { stdout, stderr, code } = await notes(path('nothing.txt'))
    expect([stdout, stderr, code]).toEqual(['', 'Nothing was noted.\n', 3])
  })

  it('is what ask without a question points to', async () => {
    const { code, stderr } = await runCommand(['ask'])
    expect(code).toBe(2)
    expect(stderr).toContain('memagent notes FILE...')
  })
})
