/** Asking the memory of a run. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noter, noterUntil, servedModel } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)
const { open } = apis
const halfScan = join(import.meta.dirname, '../../../documents/src/testing/__fixtures__/corpus/half-scan.pdf')
const question = 'What is the key?'

describe('asking again', () => {
  it('asks the memory, and reads nothing', async () => {
    const served = servedModel(noter)
    const api = open([served])
    const { body } = await api.post('/api/runs', { question, text: longText(1000) })
    await api.ended(body.id)
    const before = served.model.calls.length
    const asked = await api.post(`/api/runs/${body.id}/ask`, { question: 'Which key is it?' })
    expect(asked.status).toBe(201)
    const run = await api.ended(asked.body.id)
    expect(run).toMatchObject({ steps: 0, question: 'Which key is it?', result: { answer: '48213' } })
    expect(served.model.calls.length - before).toBe(1)
    expect(run.result.warnings).toContainEqual(expect.objectContaining({ code: 'notes-of-another-question' }))
  })

  it('asks the same memory where the run itself asked one, and says where that is gone', async () => {
    const api = open()
    const questions = [question, 'Where is the sea?']
    const { body } = await api.post('/api/runs', { questions, text: longText(300) })
    await api.ended(body.id)
    const { body: first } = await api.post(`/api/runs/${body.id}/ask`, { question: 'Who?', memoryOf: 2 })
    await api.ended(first.id)
    const path = `/api/runs/${first.id}/ask`
    const { body: again } = await api.post(path, { question: questions[1] })
    const { result } = await api.ended(again.id)
    expect(result.answer).toBe('48213')
    // The memory was kept for this question, not for that of the run in between.
    expect(JSON.stringify(result.warnings)).not.toContain('notes-of-another-question')
    expect((await api.post(path, { question, memoryOf: 2 })).body.error.param).toBe('memoryOf')
    await api.delete(`/api/runs/${body.id}`)
    const { status, body: said } = await api.post(path, { question })
    expect([status, said.error.code, said.error.message]).toMatchObject([
      ...[409, 'server/cannot-ask'],
      expect.stringContaining(body.id),
    ])
  })

  it('is refused where nothing was read', async () => {
    const { served, stopped } = noterUntil(2)
    const api = open([served], { readings: 1 })
    await api.post('/api/runs', { question, text: longText(500) })
    await stopped
    const { body } = await api.post('/api/runs', { question, text: longText(600) })
    const { status, body: said } = await api.post(`/api/runs/${body.id}/ask`, { question })
    expect([status, said.error.code]).toEqual([409, 'server/nothing-read'])
  })

  it('of what was read so far is unsure of what it does not hold', async () => {
    const { served, stopped } = noterUntil(4)
    const api = open([served])
    const { body } = await api.post('/api/runs', { question, text: longText(1000) })
    await stopped
    await api.post(`/api/runs/${body.id}/cancel`)
    const next = open()
    const asked = await next.post(`/api/runs/${body.id}/ask`, { question })
    const { outcome, result } = await next.ended(asked.body.id)
    expect([outcome, result.warnings]).toMatchObject(['unsure', [{ code: 'reading-unfinished' }]])
    expect(result.warnings[0].message).toMatch(/^The reading was stopped: the memory is that after 3 chunks/)
  })
})

describe('an answer from a memory', () => {
  const half = async () => Uint8Array.from(await readFile(halfScan))

  it('has what there was to say of the texts: of a run', async () => {
    const api = open()
    const { id } = await api.upload('half.pdf', await half())
    const { body } = await api.post('/api/runs', { question, files: [id] })
    const { remarks } = await api.ended(body.id)
    expect(remarks).toEqual([expect.stringMatching(/half\.pdf: no text on page 2/)])
    const asked = await api.post(`/api/runs/${body.id}/ask`, { question })
    expect(await api.ended(asked.body.id)).toMatchObject({
      outcome: 'unsure',
      result: { warnings: [{ code: 'source-part-unread' }] },
      remarks,
    })
  })

  it('has it of all readings of a session, of which a blank one is no memory', async () => {
    const api = open()
    const path = '/api/sessions/diary'
    for (const blank of ['', ' \n\n ']) {
      const { id } = await api.upload(`blank${blank.length}.txt`, blank)
      const { body } = await api.post(`${path}/read`, { question, files: [id] })
      const { result } = await api.ended(body.run.id)
      expect(result.warnings).toMatchObject([{ code: 'source-without-text' }])
      const { status, body: said } = await api.post(`${path}/ask`)
      expect([status, said.error.code]).toEqual([409, 'server/nothing-read'])
      expect((await api.post(`/api/runs/${body.run.id}/ask`, { question })).status).toBe(409)
    }
    const { id } = await api.upload('half.pdf', await half())
    await api.ended((await api.post(`${path}/read`, { files: [id] })).body.run.id)
    await api.ended((await api.post(`${path}/read`, { text: 'It is calm again.' })).body.run.id)
    const { remarks, result } = await api.ended((await api.post(`${path}/ask`)).body.id)
    expect(remarks).toEqual([expect.stringMatching(/half\.pdf: no text on page 2/)])
    expect(result.warnings).toMatchObject([{ code: 'source-without-text' }, { code: 'source-part-unread' }])
  })
})
