import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Admission } from './admission.ts'

const endless = () => new AbortController().signal

describe('who reads when', () => {
  it('clients take turns, however many requests one of them has', async () => {
    const admission = new Admission({ places: 1 })
    const order: string[] = []
    const first = admission.enter('a', endless())
    const requests = ['a', 'a', 'a', 'b', 'c'].map((client, i) => {
      const admitted = admission.enter(client, endless())
      return admitted.turn.then(() => {
        order.push(`${client}${i}`)
        admitted.leave()
      })
    })
    first.leave()
    await Promise.all(requests)
    expect(order).toEqual(['a0', 'b3', 'c4', 'a1', 'a2'])
  })

  it('a full line refuses, and says when to come again', async () => {
    const admission = new Admission({ places: 1, mostWaiting: 2, mostWaitingOfClient: 2 })
    admission.enter('a', endless())
    admission.enter('a', endless())
    admission.enter('b', endless())
    expect(() => admission.enter('c', endless())).toThrow(
      expect.objectContaining({ status: 429, retryAfterSeconds: expect.any(Number) }),
    )
  })

  it('one client cannot fill the line', () => {
    const admission = new Admission({ places: 1, mostWaiting: 4 })
    for (let i = 0; i < 3; i++) admission.enter('a', endless())
    expect(() => admission.enter('a', endless())).toThrow(expect.objectContaining({ status: 429 }))
    expect(() => admission.enter('b', endless())).not.toThrow()
  })

  it('a client with few places of its own waits, while others take what is free', async () => {
    const admission = new Admission({ places: 3, placesOf: (client) => (client === 'a' ? 1 : 3) })
    const order: string[] = []
    const enter = (client: string) => {
      const admitted = admission.enter(client, endless())
      void admitted.turn.then(() => order.push(client))
      return admitted
    }
    const [first] = [enter('a'), enter('a'), enter('a'), enter('b')]
    await Promise.resolve()
    expect([order, admission.running, admission.waiting]).toEqual([['a', 'b'], 2, 2])
    first!.leave()
    await Promise.resolve()
    expect([order, admission.running, admission.waiting]).toEqual([['a', 'b', 'a'], 2, 1])
  })

  it('who goes away leaves the line', async () => {
    const admission = new Admission({ places: 1 })
    const first = admission.enter('a', endless())
    const controller = new AbortController()
    const gone = admission.enter('a', controller.signal)
    controller.abort(new Error('gone'))
    await expect(gone.turn).rejects.toThrow('gone')
    expect(admission.waiting).toBe(0)
    first.leave()
    gone.leave()
    expect(admission.running).toBe(0)
  })
})

describe('properties', () => {
  it('never more at once than there are places, all get their turn, and nothing is left', async () => {
    const step = fc.record({ client: fc.constantFrom('a', 'b', 'c'), isAborted: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, places) => {
          const admission = new Admission({ places, mostWaiting: 1000 })
          let most = 0
          let done = 0
          await Promise.all(
            steps.map(async ({ client, isAborted }) => {
              const controller = new AbortController()
              const admitted = admission.enter(client, controller.signal)
              if (isAborted) controller.abort(new Error('gone'))
              try {
                await admitted.turn
                most = Math.max(most, admission.running)
                await Promise.resolve()
                done += 1
              } catch {
                done += 1
              } finally {
                admitted.leave()
                admitted.leave()
              }
            }),
          )
          expect(most).toBeLessThanOrEqual(places)
          expect(done).toBe(steps.length)
          expect([admission.running, admission.waiting]).toEqual([0, 0])
        },
      ),
    )
  })
})
