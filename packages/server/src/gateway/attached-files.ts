/** Files in requests: uploads by id, and content in the request. Addresses are never fetched. */
import { type ConversationTurn, createFileNames, createTextDocument, type TextDocument } from '@memagent/core'
import { openBytes, openDocuments } from '@memagent/documents'
import { z } from 'zod'
import type { Uploads } from '../files/uploads.ts'
import { nothingKept, RequestError } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'
import type { AttachedFile, ProtocolRequest } from './protocol.ts'

/** OpenAI's ways to attach a file: one of the first two fields. */
export const fileFields = {
  file_id: z.string().optional(),
  file_data: z.string().optional().describe('Base64, as it is or as a data: address'),
  filename: z.string().optional(),
}
type FileFields = { readonly [Field in keyof typeof fileFields]?: string | undefined }

export const hasOneFile = ({ file_id, file_data }: FileFields): boolean =>
  (file_id === undefined) !== (file_data === undefined)
export const oneFile = 'takes either "file_id" or "file_data": addresses are not opened'

export const attachedFile = ({ file_id, file_data = '', filename: name }: FileFields): AttachedFile =>
  file_id === undefined
    ? { base64: file_data.replace(/^data:[^,]{0,200};base64,/, ''), name }
    : { fileId: file_id, name }

export interface OpenedTurns {
  readonly turns: readonly ConversationTurn[]
  /** Remarks on the files, complete once they were read, such as a page without text. */
  readonly remarks: Set<string>
}

/**
 * Opens the files in the turns of a request, without reading them yet.
 * @param uploads undefined if nothing is kept
 * @throws RequestError 404 for a file that is not the client's, 400 for invalid base64, 503 without uploads
 */
export async function openTurns(
  { turns, turnsField }: Pick<ProtocolRequest, 'turns' | 'turnsField'>,
  owner: Owner,
  uploads: Uploads | undefined,
): Promise<OpenedTurns> {
  const remarks = new Set<string>()
  const onRemark = ({ message }: { readonly message: string }) => remarks.add(message)
  const nameOf = createFileNames()
  const open = async (file: AttachedFile): Promise<TextDocument> => {
    if ('text' in file) return createTextDocument(file.text, nameOf(file.name ?? 'document'))
    if ('base64' in file) return openBytes(bytesOf(file.base64, turnsField), nameOf(file.name), { onRemark })
    if (!uploads) throw nothingKept()
    const upload = await uploads.find(owner, file.fileId)
    const filename = nameOf(file.name ?? upload.filename)
    return openDocuments([uploads.fileOf({ ...upload, filename })], { onRemark })
  }
  const opened: ConversationTurn[] = []
  for (const { parts, ...speaker } of turns) {
    const texts: ConversationTurn['parts'][number][] = []
    for (const part of parts) {
      texts.push(typeof part === 'string' ? part : await open(part))
    }
    opened.push({ ...speaker, parts: texts })
  }
  return { turns: opened, remarks }
}

function bytesOf(base64: string, param: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  // Node skips characters that are not base64.
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === base64.trim().replace(/=+$/, '')
  if (isWhole && bytes.length > 0) return bytes
  const message = `${param}: the data of a file is ${bytes.length > 0 ? 'not base64' : 'empty'}.`
  throw new RequestError({ status: 400, code: 'server/bad-file-data', message, param })
}
