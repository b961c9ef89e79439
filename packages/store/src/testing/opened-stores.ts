/** Stores of one driver, closed after each test. */
import type { Hook, TemporaryFolder } from '@memagent/core/testing'
import type { Store } from '../store.ts'
import { openTested, type TestedDriver } from './drivers.ts'

/** @returns a function that opens a store; the same name is the same store */
export function openedStores(driver: TestedDriver, folder: TemporaryFolder, after: Hook) {
  const opened: Store[] = []
  after(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
  })
  return async (name = 'runs', leaseMs?: number): Promise<Store> => {
    const store = await openTested(await driver.locate(folder.path, name), leaseMs)
    opened.push(store)
    return store
  }
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
