/** What makes two readings the same run, so that a checkpoint is only ever resumed by its own run. */
import { canonicalJson } from '../canonical-json.ts'
import { CheckpointError } from '../errors.ts'
import type { Json } from '../workflows/workflow.ts'

/** By name, so that an error can say what differs. */
export type RunIdentity = Readonly<Record<string, Json>>

/** @throws CheckpointError naming what differs */
export function checkIdentity(saved: RunIdentity, present: RunIdentity): void {
  const names = [...new Set([...Object.keys(saved), ...Object.keys(present)])]
  const differing = names.filter((name) => shown(saved[name]) !== shown(present[name]))
  if (differing.length === 0) return
  throw new CheckpointError({
    code: 'checkpoint/of-another-run',
    message: `The checkpoint belongs to another run: ${differing.map((name) => describe(name, saved[name], present[name])).join('; ')}.`,
    hint: 'Repeat the original command, or use another checkpoint file.',
    details: { differing },
  })
}

function describe(name: string, saved: Json | undefined, present: Json | undefined): string {
  const [before, now] = [shown(saved), shown(present)]
  // Fingerprints mean nothing to people.
  if (name === 'document' || before.length + now.length > 300) return `another ${name}`
  return `${name} was ${before}, is ${now}`
}

const shown = (value: Json | undefined) => (value === undefined ? 'not set' : canonicalJson(value))
