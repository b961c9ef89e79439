/** `/v1/files` as in OpenAI's protocol, and the text of a file as a reader sees it. */

import { textOfFile } from '@memagent/web'
import type { z } from 'zod'
import { idOf, type Route, route } from '../openapi/route.ts'
import { badRequest } from '../request-error.ts'
import { fileInUse } from '../runs/run-errors.ts'
import { ownerOf } from '../safety/keys.ts'
import { fileBody, fileForm, fileList, filesQuery, removedFile, textQuery } from './file-schemas.ts'
import { fileText } from './file-text.ts'
import { receiveUpload } from './receive-upload.ts'
import type { Upload, Uploads } from './uploads.ts'

/** @param isRead whether a running or waiting run reads the file */
export const fileRoutes = (uploads: Uploads, isRead: (id: string) => Promise<boolean>): readonly Route[] => [
  route('post', '/v1/files', {
    summary: 'Uploads a file of any kind that can be read',
    form: fileForm,
    replies: { 200: { description: 'The file', json: fileBody } },
    answer: async (c) => c.json(bodyOf(await receiveUpload(c.req.raw, ownerOf(c), uploads))),
  }),
  route('get', '/v1/files', {
    summary: 'Uploaded files',
    query: filesQuery,
    replies: { 200: { description: 'A page of files', json: fileList } },
    answer: async (c, { query }) => c.json(listBody(await uploads.list(ownerOf(c)), query)),
  }),
  route('get', '/v1/files/:id', {
    summary: 'A file',
    replies: { 200: { description: 'The file', json: fileBody } },
    errors: [404],
    answer: async (c) => c.json(bodyOf(await uploads.find(ownerOf(c), idOf(c)))),
  }),
  route('get', '/v1/files/:id/content', {
    summary: 'A file as it was uploaded',
    replies: { 200: { description: 'Its bytes', types: ['application/octet-stream'] } },
    errors: [404],
    answer: async (c) => {
      const upload = await uploads.find(ownerOf(c), idOf(c))
      // Keeps browsers from showing it as a page of this server.
      const name = encodeURIComponent(upload.filename)
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': String(upload.bytes),
        'content-disposition': `attachment; filename*=UTF-8''${name}`,
      }
      // Nobody would read, and so close, the file for a HEAD request.
      return c.req.method === 'HEAD'
        ? c.body(null, 200, headers)
        : c.body(uploads.contentOf(upload), 200, headers)
    },
  }),
  route('delete', '/v1/files/:id', {
    summary: 'Erases a file',
    replies: { 200: { description: 'It is erased', json: removedFile } },
    errors: [404, 409],
    answer: async (c) => {
      const { id } = await uploads.find(ownerOf(c), idOf(c))
      if (await isRead(id)) throw fileInUse(id)
      await uploads.remove(id)
      return c.json({ id, object: 'file', deleted: true })
    },
  }),
  route('get', '/api/files/:id/text', {
    summary: 'What a reader sees of a file',
    query: textQuery,
    replies: { 200: { description: 'A part of the text', json: textOfFile } },
    errors: [404, 422],
    answer: async (c, { query }) => {
      const upload = await uploads.find(ownerOf(c), idOf(c))
      return c.json(await fileText(upload, uploads, { ...query, signal: c.req.raw.signal }))
    },
  }),
]

function listBody(
  files: readonly Upload[],
  { purpose, limit, after, order }: z.infer<typeof filesQuery>,
): z.infer<typeof fileList> {
  const all = files.filter((one) => purpose === undefined || one.purpose === purpose)
  if (order === 'asc') all.reverse()
  const last = all.findIndex(({ id }) => id === after)
  if (after !== undefined && last === -1) throw badRequest('after', 'is no file that is here.')
  const rest = all.slice(last + 1)
  const data = rest.slice(0, limit).map(bodyOf)
  return {
    object: 'list',
    data,
    has_more: rest.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

const bodyOf = ({ id, filename, purpose, bytes, createdMs }: Upload): z.infer<typeof fileBody> => ({
  id,
  object: 'file',
  bytes,
  created_at: Math.floor(createdMs / 1000),
  filename,
  purpose,
  status: 'processed',
})
