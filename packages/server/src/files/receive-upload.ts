/** Receives the file of a multipart request as it arrives, without holding it in memory. */
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { MemAgentError } from '@memagent/core'
import { badRequest, RequestError } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'
import { pastedText, type Upload, type Uploads } from './uploads.ts'

/** Fields are short. */
const limits = { files: 1, fields: 20, fieldSize: 1000, parts: 30, headerPairs: 50 }

const longestName = 1000

/** @throws RequestError 400 for a body without a file, or cut short; 413; 415; StoreError if it cannot be kept */
export async function receiveUpload(request: Request, owner: Owner, uploads: Uploads): Promise<Upload> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type) || !request.body) throw notMultipart()
  const parser = parserOf(type)
  const body = Readable.fromWeb(request.body as never)
  let purpose = 'user_data'
  const parsed = new Promise<void>((resolve, reject) => {
    parser.once('finish', resolve)
    parser.once('error', reject)
    body.once('error', reject)
  })
  let upload: Promise<Upload> | undefined
  let arriving: BusboyFileStream | undefined
  parser.on('field', (name: string, value: string) => {
    if (name === 'purpose') purpose = value
  })
  parser.on('file', (field: string, content: BusboyFileStream, filename: string) => {
    // The parser reports the same errors.
    content.on('error', () => undefined)
    if (field !== 'file' || upload) {
      content.resume()
      return
    }
    // Headers cannot carry a lone surrogate at the end.
    const name = (filename || 'file').slice(0, longestName).replace(/[\ud800-\udbff]$/, '')
    arriving = content
    // Fields may follow the file.
    const details = parsed.then(() => ({ filename: name, purpose: checkedPurpose(purpose) }))
    upload = uploads.add({ owner, content, details })
    upload.catch((error) => parser.destroy(error))
  })
  try {
    body.pipe(parser)
    await parsed
  } catch (error) {
    body.destroy()
    parser.destroy()
    arriving?.destroy(error as Error)
    await upload?.catch(() => undefined)
    throw MemAgentError.isInstance(error) ? error : cutShort(error)
  }
  if (!upload) throw badRequest('file', 'is missing.')
  return upload
}

function checkedPurpose(purpose: string): string {
  if (purpose === pastedText)
    throw badRequest('purpose', `cannot be ${pastedText}, which texts of runs have.`)
  return purpose
}

function parserOf(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type } as BusboyHeaders, limits })
  } catch {
    throw notMultipart()
  }
}

const notMultipart = () =>
  new RequestError({
    status: 415,
    code: 'server/not-multipart',
    message: 'A file is given as multipart/form-data, in the field file.',
  })

const cutShort = (cause: unknown) =>
  new RequestError({
    status: 400,
    code: 'server/upload-cut-short',
    message: 'The body ended before the file did, or is no multipart/form-data.',
    cause,
  })
