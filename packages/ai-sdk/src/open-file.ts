/** A file part as a text to read. */
import type { LanguageModelV3FilePart } from '@ai-sdk/provider'
import { decodeStream, type TextDocument } from '@memagent/core'
import { unsupported } from './call-settings.ts'

type Documents = Pick<typeof import('@memagent/documents'), 'openBytes'>

/** Also what AI SDK 7 hands to a model of version 3 unchanged: text as it is, and references to what a provider keeps. */
export interface FilePart extends Omit<LanguageModelV3FilePart, 'data'> {
  readonly data:
    | LanguageModelV3FilePart['data']
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'reference' }
}

/**
 * Any kind that `@memagent/documents` reads, if it is installed; otherwise text alone.
 * @param onRemark told what could not be read of it, such as a page without text @default nobody is
 * @param load imports it @default the package
 * @throws UnsupportedFunctionalityError that names the file and what to install; also for a link, since it was not downloaded,
 *   and for a file that a provider keeps
 */
export async function openFile(
  { data, mediaType }: FilePart,
  name: string,
  onRemark: (message: string) => void = () => undefined,
  load: () => Promise<Documents> = () => import('@memagent/documents'),
): Promise<TextDocument> {
  const bytes = bytesOf(data, name)
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

function bytesOf(data: FilePart['data'], name: string): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, 'base64')
  if (data instanceof Uint8Array) return data
  if (data instanceof URL) throw unsupported(`links to files (${name})`)
  if (data.type === 'text') return Buffer.from(data.text)
  throw unsupported(`files that a provider keeps (${name})`)
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

const isText = (mediaType: string) =>
  /^(text(\/|$)|application\/([a-z.-]+\+)?(json|xml|yaml)\b)/i.test(mediaType)

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
