/**
 * Decides whether two starts are the same supervised run: everything that affects what is learned counts. Another name, another
 * location of the same weights and prose, or another evaluation does not make another run.
 */
import { createHash } from 'node:crypto'
import { contentOfTask } from '@memagent/tasks'
import { hashParts, type IdentityParts } from '../identity-parts.ts'
import type { SftConfig } from './config.ts'

export interface SftIdentity {
  readonly fingerprint: string
  /** Results of evaluations compare only if this is equal. */
  readonly evaluation: string
  /** What `fingerprint` is made from. */
  readonly parts: IdentityParts
}

/**
 * @param startFrom digest of the weights that training starts from; undefined for random ones
 * @param skillFiles identity of the files behind skills; undefined if they have none
 */
export function sftIdentityOf(
  config: SftConfig,
  startFrom: string | undefined,
  skillFiles: string | undefined,
  tokenizerJson: unknown,
  texts: readonly string[],
): SftIdentity {
  const free = { name: undefined, output: '', threads: 0, evaluation: 0, checkpointEvery: 0 }
  const prose = { ...config.prose, folder: undefined }
  const { every, ...evaluation } = config.evaluation
  const decisive = { ...config, ...free, startFrom, prose, skillFiles }
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([decisive, tokenizerJson]))
      .update(texts.join('\0'))
      .digest('hex'),
    evaluation: createHash('sha256').update(JSON.stringify(evaluation)).digest('hex'),
    parts: hashParts({
      ...decisive,
      skillFiles: undefined,
      'the files of skills': skillFiles,
      prose: [prose, texts],
      tokenizer: tokenizerJson,
    }),
  }
}

/** Undefined if no skill has files: then its documents follow from its options. @throws TaskError for one that cannot be read */
export async function skillFilesOf({ skills }: SftConfig): Promise<string | undefined> {
  const contents = await Promise.all(
    Object.entries(skills).map(
      async ([name, { task, options }]) => [name, await contentOfTask(task, options)] as const,
    ),
  )
  const known = contents.filter(([, content]) => content !== undefined)
  return known.length === 0 ? undefined : JSON.stringify(known.sort(([a], [b]) => (a < b ? -1 : 1)))
}
