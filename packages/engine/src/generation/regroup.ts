/** Decides which sequences grow together: those with one trunk read it in place, all others form one batch. */
import type { LlamaConfig } from '../models/llama-config.ts'
import { DecodeBatch } from './decode.ts'
import type { FloatPool } from './float-pool.ts'
import type { Growing, Trunk } from './key-value-store.ts'
import type { Sequence } from './sequence.ts'

/** A batch of its own reads all weights at every step; smaller families join the others, with a copy of the trunk. */
const leastFamily = 3

/** Batches for the next step: finished ones dropped, those with most sequences done made smaller, newcomers added. */
export function regroup(
  config: LlamaConfig,
  batches: readonly DecodeBatch<Sequence>[],
  newcomers: readonly Growing<Sequence>[],
  pool: FloatPool,
): DecodeBatch<Sequence>[] {
  const changing = batches.filter((batch) => batch.trunk !== undefined && batch.shouldRebuild)
  const moving = [...newcomers, ...changing.flatMap((batch) => batch.remaining())]
  const families = new Map<Trunk, Growing<Sequence>[]>()
  const alone: Growing<Sequence>[] = []
  for (const trunk of new Set(moving.map(({ store }) => store.trunk))) {
    const members = moving.filter(({ store }) => store.trunk === trunk)
    if (trunk && members.length >= leastFamily) families.set(trunk, members)
    else alone.push(...members)
  }
  const others = batches.find((batch) => batch.trunk === undefined)
  if (others && (others.shouldRebuild || alone.length > 0)) {
    alone.unshift(...others.remaining())
    changing.push(others)
  }
  const next = [
    ...batches.filter((batch) => !changing.includes(batch)),
    ...(alone.length > 0 ? [new DecodeBatch(config, alone, undefined, pool)] : []),
    ...[...families].map(([trunk, members]) => new DecodeBatch(config, members, trunk, pool)),
  ]
  // Only after everything has been copied.
  for (const batch of changing) batch.release()
  return next
}
