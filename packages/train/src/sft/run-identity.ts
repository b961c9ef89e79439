/**
 * Decides whether two starts are the same supervised run: everything that affects what is learned counts. Another name, another
 * location of the same weights and prose, or another evaluation does not make another run.
 */
import { createHash } from 'node:crypto'
import type { SftConfig } from './config.ts'

export interface SftIdentity {
  readonly fingerprint: string
  /** Of a checkpoint by an earlier version, in which name and locations counted, and weights only by their location. */
  readonly formerFingerprint: string
  /** Results of evaluations compare only if this is equal. */
  readonly evaluation: string
}

/** @param startFrom digest of the weights that training starts from; undefined for random ones */
export function sftIdentityOf(
  config: SftConfig,
  startFrom: string | undefined,
  tokenizerJson: unknown,
  texts: readonly string[],
): SftIdentity {
  const former = { ...config, output: '', threads: 0, evaluation: 0, checkpointEvery: 0 }
  const prose = { ...config.prose, folder: undefined }
  const { every, ...evaluation } = config.evaluation
  const joined = texts.join('\0')
  return {
    fingerprint: hashOf({ ...former, name: undefined, startFrom, prose }, tokenizerJson, joined),
    formerFingerprint: hashOf(former, tokenizerJson, joined),
    evaluation: createHash('sha256').update(JSON.stringify(evaluation)).digest('hex'),
  }
}

const hashOf = (decisive: object, tokenizerJson: unknown, texts: string): string =>
  createHash('sha256')
    .update(JSON.stringify([decisive, tokenizerJson]))
    .update(texts)
    .digest('hex')
