/** What `memagent ask` reports when it answers after reading only part of the text. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const size = 40 * 'The code is 7. '.length
let server: StubServer
let answer = ''
beforeAll(async () => {
  await writeFile(folder.join('text.txt'), 'The code is 7. '.repeat(40))
  server = await createStubServer({
    respond: ({ messages }) =>
      messages.at(-1)!.content.includes('<section>') ? 'yes\nThe code is 7.\nend' : answer,
  })
})
afterAll(() => server.close())

const ask = (workflow: string, ...flags: readonly string[]) =>
  runMain([
    ...['ask', 'Which code?', folder.join('text.txt'), '--workflow', workflow],
    ...['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '60', '--quiet', ...flags],
  ])

it('says on standard error how much was not read, and leaves the answer found', async () => {
  answer = '\\boxed{7}'
  const { code, stdout, stderr } = await ask('gated-exit')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '7\n' })
  expect(stderr).toMatch(
    /^note: The reading ended early, after chunk 1: \d\d % of the text \(\d+ bytes\) was not read\.$/m,
  )
  const whole = await ask('gated')
  expect([whole.code, whole.stdout]).toEqual([0, '7\n'])
  expect(whole.stderr).not.toContain('ended early')
})

it('tells a program the same', async () => {
  answer = '\\boxed{7}'
  const { unread, usage, warnings } = JSON.parse((await ask('gated-exit', '--json')).stdout)
  expect(unread).toEqual({ bytes: size - usage.bytes, share: (size - usage.bytes) / size })
  expect(warnings).toMatchObject([{ code: 'ended-early', touchesAnswer: false }])
  expect(JSON.parse((await ask('gated', '--json')).stdout)).not.toHaveProperty('unread')
  const events = (await ask('gated-exit', '--events')).stdout.trim().split('\n')
  expect(JSON.parse(events.at(-1)!)).toMatchObject({ type: 'answer', unread })
})

it('does not say that the text does not answer', async () => {
  answer = '\\boxed{not in the text}'
  const { code, stdout, stderr } = await ask('gated-exit')
  expect(code).toBe(4)
  expect(stdout).toBe('No answer was found in the part of the text that was read.\n')
  expect(stderr).toMatch(/^unsure: The reading ended early/m)
})
