import { describe, expect, it } from 'vitest'
import { parallel } from '../workflows/parallel/parallel.ts'
import type { Json, Workflow } from '../workflows/workflow.ts'
import type { ReadingEvent } from './events.ts'
import { LiveWaits } from './live-waits.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'
import { document, modelOf, report } from './testing/short-reading.ts'

const wait = {
  call: 'chat',
  reason: 'rate limit (429)',
  code: 'chat/rate-limited',
  seconds: 60,
  attempt: 2,
} as const

/** A model whose first call waits until it is released or aborted. */
function waitingModel() {
  let goOn: () => void = () => undefined
  let isFirst = true
  const scripted = modelOf(report)
  const model = modelOf(report, {
    async generate(messages, options) {
      if (isFirst) {
        isFirst = false
        options.onWait?.(wait)
        await new Promise<void>((resolve, reject) => {
          goOn = resolve
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true })
        })
      }
      return scripted.generate(messages, options)
    },
  })
  return { model, goOn: () => goOn() }
}

const read = (options: Partial<ReadingOptions> & Pick<ReadingOptions, 'model'>) =>
  readDocument({ question: 'Who came?', document, ...options })

const passes = parallel as unknown as Workflow<Json>

describe('a reading that waits for its server', () => {
  it.each([
    ['chunk by chunk', undefined],
    ['in a rhythm of its own', passes],
  ])('tells of the wait while it lasts, %s', async (_, workflow) => {
    const { model, goOn } = waitingModel()
    const events: ReadingEvent[] = []
    for await (const event of read({ model, workflow })) {
      events.push(event)
      // The reading cannot continue until then, so a wait reported only afterwards would hang the test.
      if (event.type === 'wait') goOn()
    }
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['reading-start', 'wait'])
    expect(events[1]).toEqual({ type: 'wait', ...wait })
    expect(events.at(-1)?.type).toBe('answer')
  })

  it.each([
    ['chunk by chunk', undefined],
    ['in a rhythm of its own', passes],
  ])('ends it at once when it is aborted, or nobody listens any more, %s', async (_, workflow) => {
    const controller = new AbortController()
    const reason = new Error('stop')
    const reading = async () => {
      for await (const event of read({ ...waitingModel(), workflow, signal: controller.signal })) {
        if (event.type === 'wait') controller.abort(reason)
      }
    }
    await expect(reading()).rejects.toBe(reason)
    for await (const event of read({ ...waitingModel(), workflow })) if (event.type === 'wait') break
  })

  it('does not wait for a delayed token count after an abort', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    const tokenizer = { name: 'busy', isExact: true, count: () => new Promise<number>(() => undefined) }
    setTimeout(() => controller.abort(reason), 5)
    const events = read({ model: modelOf(report), tokenizer, signal: controller.signal })
    await expect(events.next()).rejects.toBe(reason)
  })
})

describe('LiveWaits', () => {
  it('reports waits that begin while another is being reported', async () => {
    const waits = new LiveWaits()
    const { signal } = new AbortController()
    let finish: (value: string) => void = () => undefined
    const telling = waits.during(new Promise<string>((resolve) => (finish = resolve)), signal)
    waits.add({ ...wait, attempt: 2 })
    expect((await telling.next()).value).toMatchObject({ attempt: 2 })
    waits.add({ ...wait, attempt: 3 })
    waits.add({ ...wait, attempt: 4 })
    expect((await telling.next()).value).toMatchObject({ attempt: 3 })
    expect((await telling.next()).value).toMatchObject({ attempt: 4 })
    finish('done')
    expect(await telling.next()).toEqual({ done: true, value: 'done' })
  })
})
