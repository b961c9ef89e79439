/**
 * Decides whether two starts are the same supervised run: everything that affects what is learned counts. Another name, another
 * location of the same weights and prose, or another evaluation does not make another run.
 */
import { createHash } from 'node:crypto'
import { hashParts, type IdentityParts } from '../identity-parts.ts'
import type { SftConfig } from './config.ts'

export interface SftIdentity {
  readonly fingerprint: string
  /** Results of evaluations compare only if this is equal. */
  readonly evaluation: string
  /** What `fingerprint` is made from. */
  readonly parts: IdentityParts
}

/** @param startFrom digest of the weights that training starts from; undefined for random ones */
export function sftIdentityOf(
  config: SftConfig,
  startFrom: string | undefined,
  tokenizerJson: unknown,
  texts: readonly string[],
): SftIdentity {
  const free = { name: undefined, output: '', threads: 0, evaluation: 0, checkpointEvery: 0 }
  const prose = { ...config.prose, folder: undefined }
  const { every, ...evaluation } = config.evaluation
  const decisive = { ...config, ...free, startFrom, prose }
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([decisive, tokenizerJson]))
      .update(texts.join('\0'))
      .digest('hex'),
    evaluation: createHash('sha256').update(JSON.stringify(evaluation)).digest('hex'),
    parts: hashParts({ ...decisive, prose: [prose, texts], tokenizer: tokenizerJson }),
  }
}
