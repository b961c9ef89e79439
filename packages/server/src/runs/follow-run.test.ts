/** What followers get: every step once, in order, across restarts, whoever reads. */
import { createTextDocument, readDocument } from '@memagent/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventsOf } from '../testing/events.ts'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noter, noterUntil, servedModel } from '../testing/served.ts'
import type { RunEvent } from './follow-run.ts'

const apis = openedApis(beforeEach, afterEach)
const { open } = apis
const question = 'What is the key?'

describe('following', () => {
  const steps = (text: string) => eventsOf(text).filter(({ event }) => event === 'step')

  it('tells every step once, in order, and then how it ended', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', { question, text: longText(1000) })
    const text = (await api.get(`/api/runs/${body.id}/events`)).body as string
    const events = eventsOf(text)
    expect(events[0]).toMatchObject({ event: 'state', id: undefined, data: { id: body.id } })
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      data: { state: 'finished', result: { answer: '48213' } },
    })
    const told = steps(text)
    expect(told.map(({ data }) => data.step)).toEqual(told.map((_, i) => i))
    expect(told).toHaveLength(events.at(-1)!.data.steps)
    expect(told[0]!.data.ranges).toMatchObject([{ file: 'text.txt', startByte: 0 }])
    expect(told.filter(({ data }) => data.memories[0]?.memory?.includes('48213'))).not.toEqual([])
  })

  it('goes on behind any event that was the last, with what a follower from the start was told', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', {
      questions: [question, 'And the sea?'],
      text: longText(700),
    })
    await api.ended(body.id)
    const path = `/api/runs/${body.id}/events`
    const all = steps((await api.get(path)).body)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    for (const [i, { id }] of all.entries()) {
      const rest = steps((await api.get(path, { 'last-event-id': id! })).body)
      expect(rest).toEqual(all.slice(i + 1))
    }
    expect(steps((await api.get(`${path}?after=${all[3]!.id}`)).body)).toEqual(all.slice(4))
    expect((await api.get(`${path}?after=x`)).status).toBe(400)
  })

  it('reads what is behind the last event alone', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', { question, text: longText(1500) })
    await api.ended(body.id)
    const path = `/api/runs/${body.id}/events`
    const all = steps((await api.get(path)).body)
    expect(all.length).toBeGreaterThan(20)
    const { store } = apis
    const { steps: kept } = store
    let rows = 0
    store.steps = (id) => {
      const log = kept.call(store, id)
      const next = async (most: number) => {
        const found = await log.next(most)
        rows += found.length
        return found
      }
      return { next, skipTo: (sequence) => log.skipTo(sequence) }
    }
    for (const i of [0, 1, 12, all.length - 2, all.length - 1]) {
      rows = 0
      const rest = steps((await api.get(path, { 'last-event-id': all[i]!.id! })).body)
      expect(rest).toEqual(all.slice(i + 1))
      expect(rows).toBeLessThanOrEqual(rest.length + 1)
    }
    expect(steps((await api.get(`${path}?after=999999`)).body)).toEqual([])
  })

  it('has neither gap nor duplicate over servers that stop', async () => {
    const followed: string[] = []
    let id = ''
    for (const until of [6, 9, 7, Number.POSITIVE_INFINITY]) {
      const { served, stopped } = noterUntil(until)
      const api = open([served])
      if (id === '') id = (await api.post('/api/runs', { question, text: longText(1500) })).body.id
      else await api.runs.goOn()
      const last = followed.at(-1)
      const stream = api.get(`/api/runs/${id}/events`, last === undefined ? {} : { 'last-event-id': last })
      if (Number.isFinite(until)) {
        await stopped
        await api.runs.close()
      }
      const text = (await stream).body as string
      followed.push(...steps(text).map((event) => event.id!))
      expect(text.includes('event: end')).toBe(!Number.isFinite(until))
    }
    const api = open()
    const all = steps((await api.get(`/api/runs/${id}/events`)).body)
    expect(followed).toEqual(all.map((event) => event.id))
  })

  it('holds little for a follower that takes nothing', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', { question, text: longText(3000) })
    await api.ended(body.id)
    let asked = 0
    const { store } = apis
    const { steps } = store
    store.steps = (id) => {
      const kept = steps.call(store, id)
      return {
        next: (most) => {
          asked++
          return kept.next(most)
        },
        skipTo: (sequence) => kept.skipTo(sequence),
      }
    }
    const response = await api.app.request(`http://localhost/api/runs/${body.id}/events`, {
      headers: { host: 'localhost' },
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked).toBe(1)
    await response.body!.cancel()
  })

  it('ends at once for a client that wants the head alone', async () => {
    const api = open()
    const id = await apis.store.create({ question, document: 'book.txt', model: 'm', workflow: 'w' })
    const { follow } = api.runs
    const ended = new Promise<void>((resolve) => {
      api.runs.follow = (owner, run, options) => {
        options.signal?.addEventListener('abort', () => resolve(), { once: true })
        return follow.call(api.runs, owner, run, options)
      }
    })
    const { status } = await api.app.request(`http://localhost/api/runs/${id}/events`, {
      method: 'HEAD',
      headers: { host: 'localhost' },
    })
    expect(status).toBe(200)
    await ended
  })

  it('does not take a run that is erased meanwhile for one that ends there', async () => {
    const failures: unknown[] = []
    const api = open(undefined, { onFailure: (error) => failures.push(error) })
    const { body } = await api.post('/api/runs', { question, text: longText(1500) })
    const { steps: all } = await api.ended(body.id)
    const { store } = apis
    const { steps: kept } = store
    store.steps = (id) => {
      const log = kept.call(store, id)
      const next = async (most: number) => {
        const found = await log.next(most)
        await store.remove(id)
        return found
      }
      return { next, skipTo: (sequence) => log.skipTo(sequence) }
    }
    const path = `/api/runs/${body.id}/events`
    const text = (await api.get(path)).body as string
    expect(steps(text).length).toBeLessThan(all)
    expect(eventsOf(text).map(({ event }) => event)).not.toContain('end')
    expect(text).not.toContain(apis.folder.path)
    expect(failures).toEqual([])
    expect((await api.get(path)).status).toBe(404)
  })

  it('shows a run of a command as it is read, in the same words', async () => {
    const api = open()
    const { model, profile, workflow } = servedModel(noter)
    const writer = apis.store.begin({
      question,
      document: 'book.txt',
      model: model.name,
      workflow: workflow.name,
    })
    const document = createTextDocument(longText(1000), 'book.txt')
    const reading = readDocument({ question, document, model, profile, workflow, checkpoints: writer })
    const controller = new AbortController()
    let events: AsyncGenerator<RunEvent> | undefined
    for await (const event of reading) {
      if (event.type === 'chunk-end' && event.step === 3) {
        events = api.runs.follow(undefined, writer.id!, { signal: controller.signal })
        expect((await events.next()).value).toMatchObject({ type: 'state', run: { state: 'running' } })
      }
      if (event.type === 'answer') await writer.finish(event)
    }
    const told: RunEvent[] = []
    for await (const event of events!) told.push(event)
    const end = told.at(-1) as RunEvent & { type: 'end' }
    expect(end).toMatchObject({ type: 'end', run: { result: { answer: '48213' } } })
    expect(told.filter(({ type }) => type === 'step')).toHaveLength(end.run.steps)
    expect((await api.post(`/api/runs/${end.run.id}/resume`)).status).toBe(409)
  })
})
