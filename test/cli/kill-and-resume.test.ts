/** A reading that is killed at any moment and started again ends as one that was never disturbed. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { foldingReply } from '../long-runs/folding-reply.ts'
import { killRuns } from '../long-runs/killed-runs.ts'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeEach, afterEach)

it('survives ten kills at random moments with a checkpoint', { timeout: 120_000 }, async () => {
  const { kills, resumed, problems } = await killRuns({
    keep: (run) => ['--checkpoint', folder.join(`${run}.json`)],
    // The file is written while the reading goes on.
    isWrittenFirst: false,
    folder: folder.path,
    kills: 10,
  })
  expect(problems).toEqual([])
  expect(kills).toBe(10)
  expect(resumed).toBeGreaterThan(0)
})

it('refuses a checkpoint that another reading is writing, before it opens its model', {
  timeout: 60_000,
}, async () => {
  let calls = 0
  let begin: (() => void) | undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const server = await createStubServer({
    delayMs: 2,
    respond: ({ messages }) => {
      if (++calls === 3) begin?.()
      return foldingReply(messages.at(-1)!.content)
    },
  })
  try {
    const file = folder.join('shared.txt')
    await writeFile(file, 'One sentence after the other. '.repeat(6000))
    const ask = (...model: string[]) =>
      runCommand(['ask', 'Who?', file, '--json', '--checkpoint', folder.join('shared.json'), ...model])
    const first = ask('--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '100')
    await begun
    const refused = await ask('--model', 'embedded:missing')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'file/locked' } })
    expect((await first).code).toBe(0)
  } finally {
    await server.close()
  }
})
