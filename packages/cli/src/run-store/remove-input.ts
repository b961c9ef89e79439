import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunStore } from '@memagent/store'
import type { StorePlace } from './open-store.ts'

/** Removes a kept standard input that no run reads. */
export async function removeInput(store: RunStore, { inputs }: StorePlace, name: string): Promise<void> {
  const isRead = (await store.list()).some(({ settings }) => inputOf(settings) === name)
  if (!isRead) await rm(join(inputs, name), { force: true })
}

export const inputOf = (settings: unknown): string | undefined => {
  const { input } = (settings ?? {}) as { readonly input?: unknown }
  return typeof input === 'string' && /^[0-9a-f]{64}$/.test(input) ? input : undefined
}
