/** The identity of a run, so that a checkpoint is only ever resumed by its own run. */
import { canonicalJson } from '../canonical-json.ts'
import type { ChatModel } from '../chat/chat.ts'
import { strongHash } from '../chat/strong-hash.ts'
import { CheckpointError } from '../errors.ts'
import type { Json } from '../workflows/workflow.ts'

/** Keyed by name, so that an error can say what differs. */
export type RunIdentity = Readonly<Record<string, Json>>

/** Tells models of one name apart. Undefined if the model does not say. */
export async function weightsIdentity(
  model: Pick<ChatModel, 'identity' | 'weights'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const known = await (model.weights ? model.weights(signal) : model.identity?.(signal))
    return known === undefined ? undefined : strongHash(known)
  } catch {
    // The first call will show whether the model can be reached.
    return undefined
  }
}

/** The names of the differences. Weights count only if both know them: older runs did not save any. */
export function differencesOf(saved: RunIdentity, present: RunIdentity): string[] {
  const names = [...new Set([...Object.keys(saved), ...Object.keys(present)])]
  return names.filter(
    (name) =>
      shown(saved[name]) !== shown(present[name]) &&
      !(name === 'weights' && (saved.weights === undefined || present.weights === undefined)),
  )
}

/** @throws CheckpointError naming what differs */
export function checkIdentity(saved: RunIdentity, present: RunIdentity): void {
  const differing = differencesOf(saved, present)
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
  // People cannot read fingerprints.
  if (name === 'weights') return 'the model has other weights'
  if (name === 'document' || before.length + now.length > 300) return `another ${name}`
  return `${name} was ${before}, is ${now}`
}

const shown = (value: Json | undefined) => (value === undefined ? 'not set' : canonicalJson(value))
