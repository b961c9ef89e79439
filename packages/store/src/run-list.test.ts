/** What every driver promises about the list of runs, however long it is. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunSummary } from './run-store.ts'
import type { Store } from './store.ts'
import { drivers, openTested } from './testing/drivers.ts'
import { description } from './testing/short-run.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe.each(drivers)('runs of a store: $name', (driver) => {
  const test = it.skipIf(driver.skipped !== undefined)
  let store: Store
  beforeEach(async () => {
    if (!driver.skipped) store = await openTested(await driver.locate(folder.path, 'runs'))
  })
  afterEach(async () => store?.close())

  const create = (question: string, more = {}) => store.create({ ...description, question, ...more })
  const questionsOf = (runs: readonly RunSummary[]) => runs.map(({ question }) => question)

  test('are listed page by page, each once, also where the last of a page is gone', async () => {
    const asked = Array.from({ length: 450 }, (_, i) => `Question ${i}?`)
    // Many of them are created in the same millisecond.
    for (const question of asked) await create(question)
    const all = await store.list()
    expect(questionsOf(all).sort()).toEqual([...asked].sort())
    expect(all.map(({ createdMs }) => createdMs)).toEqual(
      all.map(({ createdMs }) => createdMs).toSorted((a, b) => b - a),
    )
    const paged: RunSummary[] = []
    for (;;) {
      const next = await store.list({ limit: 70, after: paged.at(-1) })
      paged.push(...next)
      if (next.length < 70) break
      await store.remove(next.at(-1)!.id)
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    const some = await store.list({ accepts: ({ question }) => /[05]\?$/.test(question!), limit: 3 })
    expect(some).toEqual(all.filter((run) => /[05]\?$/.test(run.question!) && !isLast(run)).slice(0, 3))

    function isLast({ id }: RunSummary): boolean {
      return paged.some((run, i) => i % 70 === 69 && run.id === id)
    }
  }, 30_000)

  test('are found by a text as long as questions may be', async () => {
    const long = 'who keeps the lighthouse '.repeat(4000)
    await create(`${long}now?`)
    await create(`${long}then?`)
    expect(questionsOf(await store.list({ text: `${long}THEN?` }))).toEqual([`${long}then?`])
  })

  test('are found by any text in question, document and model, as it stands there', async () => {
    const odd = [
      'Wer kam ÜBER die Brücke?',
      '100% of "them" \\ it\'s_',
      "'; DROP TABLE runs; --",
      'İstanbul\n🐱',
    ]
    for (const question of odd) await create(question)
    const questions = ['Where is the key?', 'And the SEA?']
    await create('', { question: undefined, questions, document: 'Log Buch.txt' })
    const find = async (text: string) => questionsOf(await store.list({ text }))
    expect(await find('über DIE')).toEqual([odd[0]])
    expect(await find('ÜBER')).toEqual([odd[0]])
    for (const text of ['%', '100% OF "', '\\ it', "it's_"]) expect(await find(text)).toEqual([odd[1]])
    expect(await find('drop table')).toEqual([odd[2]])
    expect(await find('\n🐱')).toEqual([odd[3]])
    expect(await find('the sea')).toEqual([undefined])
    expect(await find('log buch')).toEqual([undefined])
    expect(await find('chunk')).toEqual([])
    expect(await find('')).toHaveLength(5)
    expect(await store.list({ state: 'unfinished', text: 'the sea' })).toHaveLength(1)
    expect(await store.list({ state: 'finished', text: 'the sea' })).toEqual([])
  })
})
