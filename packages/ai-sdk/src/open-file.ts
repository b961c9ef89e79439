/** A file part as a text to read. */
import type { LanguageModelV3FilePart } from '@ai-sdk/provider'
import { decodeStream, type TextDocument } from '@memagent/core'
import { unsupported } from './call-settings.ts'

type Documents = Pick<typeof import('@memagent/documents'), 'openBytes'>

/**
 * Any kind that `@memagent/documents` reads, if it is installed; otherwise text alone.
 * @param onRemark told what could not be read of it, such as a page without text @default nobody is
 * @param load imports it @default the package
 * @throws UnsupportedFunctionalityError that names the file and what to install; also for a link, since it was not downloaded
 */
export async function openFile(
  { data, mediaType }: LanguageModelV3FilePart,
  name: string,
  onRemark: (message: string) => void = () => undefined,
  load: () => Promise<Documents> = () => import('@memagent/documents'),
): Promise<TextDocument> {
  if (data instanceof URL) throw unsupported(`links to files (${name})`)
  const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : data
  const documents = await installed(load)
  if (documents) return documents.openBytes(bytes, name, { onRemark: ({ message }) => onRemark(message) })
  if (!isText(mediaType)) {
    throw unsupported(`the file ${name} (${mediaType}) without the package @memagent/documents`)
  }
  return {
    name,
    sizeBytes: bytes.length,
    isReopenable: true,
    open: (signal) => decodeStream(only(bytes), name, signal),
  }
}

async function installed(load: () => Promise<Documents>): Promise<Documents | undefined> {
  try {
    return await load()
  } catch (error) {
    const { code, message = '' } = (error ?? {}) as { readonly code?: string; readonly message?: string }
    // A dependency that the package itself misses is a fault to report.
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'@memagent/documents'")) return undefined
    throw error
  }
}

const isText = (mediaType: string) => /^(text\/|application\/([a-z.-]+\+)?(json|xml|yaml)\b)/i.test(mediaType)

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
