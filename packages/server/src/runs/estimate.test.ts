/** What a reading would take is known before it begins. */
import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noter, servedModel } from '../testing/served.ts'

const { folder, open } = openedApis(beforeEach, afterEach)
const question = 'What is the key?'

it('is as many calls as the reading then makes, and nothing is kept or asked for it', async () => {
  const served = servedModel(noter)
  const api = open([served])
  const book = `${longText(900)}\n`
  const { id } = await api.upload('book.txt', book)
  const request = { question, files: [id], text: 'The end.' }
  const { status, body } = await api.post('/api/estimate', request)
  expect([status, body]).toMatchObject([200, { model: 'reader', workflow: 'overwrite', isExact: true }])
  expect(body.bytes).toBe(Buffer.byteLength(book) + 'The end.'.length)
  expect(body.seconds).toBeUndefined()
  expect(served.model.calls).toHaveLength(0)
  expect(await readdir(folder.join('uploads'))).toEqual([id])
  expect((await api.get('/api/runs')).body.runs).toEqual([])

  const run = await api.ended((await api.post('/api/runs', request)).body.id)
  expect([run.steps, run.result.usage.calls, run.bytes]).toEqual([body.chunks, body.calls, body.bytes])
  expect(run.result.usage.promptTokens).toBeLessThanOrEqual(body.mostPromptTokens)
  const later = (
    await api.post('/api/estimate', { ...request, questions: [question, 'And?'], question: undefined })
  ).body
  expect(later.calls).toBe(2 * body.calls)
  // Based on the calls made meanwhile.
  expect(later.secondsForMostCalls / later.seconds).toBeCloseTo(later.mostCalls / later.calls)
})

it('has a price where tokens have one', async () => {
  const prices = { prompt: 1_000_000, completion: 0 }
  const { body } = await open([{ ...servedModel(noter), reading: { limits: { prices } } }]).post(
    '/api/estimate',
    {
      text: longText(300),
    },
  )
  expect(body.mostPrice).toBe(body.mostPromptTokens)
})

it('refuses what a run refuses', async () => {
  const api = open()
  const codes = async (body: object) => {
    const [run, estimate] = [await api.post('/api/runs', body), await api.post('/api/estimate', body)]
    expect(estimate.body).toEqual(run.body)
    return [estimate.status, estimate.body.error.code]
  }
  expect(await codes({ question })).toEqual([400, 'server/bad-request'])
  expect(await codes({ question: 'why '.repeat(500), text: 'x' })).toEqual([400, 'server/bad-request'])
  expect(await codes({ files: [`file-${'0'.repeat(32)}`] })).toEqual([404, 'server/no-file'])
  expect(await codes({ text: 'x', model: 'other' })).toEqual([400, 'server/no-model'])
  const blank = await api.post('/api/estimate', { text: ' \n' })
  expect([blank.status, blank.body.error.code]).toEqual([422, 'document/no-text'])
})
