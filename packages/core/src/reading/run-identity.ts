/** What makes two readings the same run, so that a checkpoint is only ever resumed by its own run. */
import { CheckpointError } from '../errors.ts'
import type { Json } from '../workflows/workflow.ts'

/** By name, so that an error can say what differs. */
export type RunIdentity = Readonly<Record<string, Json>>

/** @throws CheckpointError naming what differs */
export function checkIdentity(saved: RunIdentity, present: RunIdentity): void {
  const names = [...new Set([...Object.keys(saved), ...Object.keys(present)])]
  const differing = names.filter((name) => canonical(saved[name]) !== canonical(present[name]))
  if (differing.length === 0) return
  throw new CheckpointError({
    code: 'checkpoint/of-another-run',
    message: `The checkpoint belongs to another run: ${differing.map((name) => describe(name, saved[name], present[name])).join('; ')}.`,
    hint: 'Repeat the original command, or use another checkpoint file.',
    details: { differing },
  })
}

function describe(name: string, saved: Json | undefined, present: Json | undefined): string {
  const [before, now] = [canonical(saved), canonical(present)]
  // Fingerprints mean nothing to people.
  if (name === 'document' || before.length + now.length > 300) return `another ${name}`
  return `${name} was ${before}, is ${now}`
}

/** JSON with sorted keys. */
export function canonical(value: Json | undefined): string {
  if (value === undefined) return 'not set'
  return JSON.stringify(value, (_, part: Json) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
