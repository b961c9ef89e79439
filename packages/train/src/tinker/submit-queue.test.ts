import { describe, expect, it } from 'vitest'
import { TinkerHttpError } from './errors.ts'
import { SubmitQueue } from './submit-queue.ts'

const refused = (status: number, detail = 'no') =>
  new TinkerHttpError({ code: 'test', message: detail, details: { status, detail } })

describe('SubmitQueue', () => {
  it('numbers from 1 in the order of the calls, one at a time', async () => {
    const queue = new SubmitQueue()
    const log: string[] = []
    const submit = (name: string, ms: number) =>
      queue.submit(async (seqId) => {
        log.push(`start ${name} ${seqId}`)
        await new Promise((resolve) => setTimeout(resolve, ms))
        log.push(`end ${name}`)
        return seqId
      })
    expect(await Promise.all([submit('a', 9), submit('b', 1), submit('c', 4)])).toEqual([1, 2, 3])
    expect(log).toEqual(['start a 1', 'end a', 'start b 2', 'end b', 'start c 3', 'end c'])
  })

  it('reuses the number of a refused request', async () => {
    const queue = new SubmitQueue()
    await expect(queue.submit(() => Promise.reject(refused(422)))).rejects.toThrow('no')
    expect(await queue.submit(async (seqId) => seqId)).toBe(1)
  })

  it('continues with the next number when the server counted the refused request', async () => {
    const queue = new SubmitQueue()
    await expect(queue.submit(() => Promise.reject(refused(422)))).rejects.toThrow('no')
    const seen: number[] = []
    const result = await queue.submit(async (seqId) => {
      seen.push(seqId)
      if (seqId === 1) throw refused(409, 'Training request sequence number was reused')
      return 'done'
    })
    expect([result, seen]).toEqual(['done', [1, 2]])
  })

  it('fails when a number is taken without a refusal to explain it', async () => {
    const queue = new SubmitQueue()
    const taken = refused(409, 'Training request sequence number was reused')
    await expect(queue.submit(() => Promise.reject(taken))).rejects.toBe(taken)
  })

  it('submits nothing more after a request of unknown fate', async () => {
    const queue = new SubmitQueue()
    await expect(queue.submit(() => Promise.reject(new Error('connection lost')))).rejects.toThrow('lost')
    await expect(queue.submit(async () => 1)).rejects.toMatchObject({ code: 'tinker/order-lost' })
  })

  it('lets a caller leave before its turn without a gap in the numbers', async () => {
    const queue = new SubmitQueue()
    const controller = new AbortController()
    const slow = queue.submit(() => new Promise((resolve) => setTimeout(resolve, 5)))
    const left = queue.submit(async (seqId) => seqId, controller.signal)
    controller.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    await slow
    expect(await queue.submit(async (seqId) => seqId)).toBe(2)
  })

  it('completes a request that is in flight at an abort', async () => {
    const queue = new SubmitQueue()
    const controller = new AbortController()
    let isSent = false
    const sending = queue.submit(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      isSent = true
    }, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 1)
    await expect(sending).rejects.toThrow('enough')
    expect(isSent).toBe(false)
    expect(await queue.submit(async (seqId) => seqId)).toBe(2)
    expect(isSent).toBe(true)
  })
})
