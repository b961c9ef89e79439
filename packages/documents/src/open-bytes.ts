/** A file in memory: an upload, an attachment. */
import type { TextDocument } from '@memagent/core'
import { defaultLimits } from './limits.ts'
import type { ByteSource } from './loader.ts'
import { fingerprintOf, type OpenOptions } from './open-documents.ts'
import { readSource } from './read-source.ts'
import { loaders as ownLoaders } from './registry.ts'

/**
 * @param bytes must not change while the document is used
 * @param name shown to people; its extension decides between text formats
 * @throws nothing; opening the document throws a DocumentError that names it
 */
export function openBytes(
  bytes: Uint8Array,
  name: string,
  options: Omit<OpenOptions, 'standardInput' | 'signal'> = {},
): TextDocument {
  const { loaders = ownLoaders } = options
  const source = (): ByteSource => ({
    name,
    sizeBytes: bytes.length,
    async *stream() {
      yield bytes
    },
  })
  return {
    name,
    isReopenable: true,
    open: (signal) =>
      readSource(source(), { ...options, loaders, limits: { ...defaultLimits, ...options.limits }, signal }),
    fingerprint: () => fingerprintOf([source], options),
  }
}
