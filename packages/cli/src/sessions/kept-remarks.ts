/** Remarks on the texts of a reading, kept with it: they also apply to answers from the memory. */
import type { SourceRemark } from '@memagent/documents'
import type { RunSummary, Store } from '@memagent/store'
import { z } from 'zod'

const settings = z.object({
  remarks: z.array(
    z.object({
      code: z.literal(['source-encoding', 'source-entries-hidden', 'source-part-unread']),
      source: z.string(),
      message: z.string(),
    }),
  ),
})

/** Leaves out skipped texts: they are new again next time. */
export async function keepRemarks(
  store: Store,
  run: string,
  remarks: readonly SourceRemark[],
): Promise<void> {
  const kept = remarks.filter(({ code }) => code !== 'source-skipped').map((remark) => ({ ...remark }))
  if (kept.length === 0) return
  const { settings } = await store.load(run)
  await store.setSettings(run, { ...(settings as object), remarks: kept })
}

/** Each remark once. */
export function remarksOf(readings: readonly Pick<RunSummary, 'settings'>[]): readonly SourceRemark[] {
  const all = readings.flatMap((reading) => settings.safeParse(reading.settings).data?.remarks ?? [])
  return [...new Map(all.map((remark) => [remark.message, remark])).values()]
}
