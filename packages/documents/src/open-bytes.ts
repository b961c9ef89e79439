/** A file in memory: an upload, an attachment. */
import type { TextDocument } from '@memagent/core'
import { checkBytes, checkOpenOptions } from './check-options.ts'
import { limitsOf } from './limits.ts'
import type { ByteSource } from './loader.ts'
import { fingerprintOf, type OpenOptions } from './open-documents.ts'
import { usableLoaders } from './own-loaders.ts'
import { readSource } from './read-source.ts'

/**
 * @param bytes must not change while the document is used
 * @param name shown to people; its extension decides between text formats
 * @throws ConfigurationError for what is no bytes or option; opening the document throws a DocumentError that names it
 */
export function openBytes(
  bytes: Uint8Array,
  name: string,
  options: Omit<OpenOptions, 'standardInput' | 'signal'> = {},
): TextDocument {
  checkBytes(bytes, name)
  checkOpenOptions(options)
  const [loaders, limits] = [usableLoaders(options.loaders), limitsOf(options.limits)]
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
    open: (signal) => readSource(source(), { ...options, loaders, limits, signal }),
    fingerprint: () => fingerprintOf([source], { ...options, loaders }),
  }
}
