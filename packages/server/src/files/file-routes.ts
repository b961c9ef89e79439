/** `/v1/files` as OpenAI's, and the text of a file as a reader sees it. */
import { Hono } from 'hono'
import { z } from 'zod'
import { parseBody } from '../gateway/parse-body.ts'
import { fileInUse } from '../runs/run-errors.ts'
import { ownerOf } from '../safety/keys.ts'
import { fileText } from './file-text.ts'
import { receiveUpload } from './receive-upload.ts'
import type { Upload, Uploads } from './uploads.ts'

/** As of OpenAI's protocol. */
export const fileBody = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: z.int().describe('Seconds since 1970'),
  filename: z.string(),
  purpose: z.string(),
  status: z.literal('processed'),
})

export const filesQuery = z.object({
  purpose: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
  after: z.string().optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
})

export const textQuery = z.object({
  startByte: z.coerce.number().int().min(0).default(0),
  most: z.coerce.number().int().min(4).max(1_000_000).default(100_000).describe('Bytes'),
})

/** @param isRead whether a run that goes on reads the file */
export function fileRoutes(uploads: Uploads, isRead: (id: string) => Promise<boolean>): Hono {
  const routes = new Hono()
  routes.post('/v1/files', async (c) => c.json(bodyOf(await receiveUpload(c.req.raw, ownerOf(c), uploads))))
  routes.get('/v1/files', async (c) => {
    const { purpose, limit, after, order } = parseBody(filesQuery, c.req.query())
    const all = (await uploads.list(ownerOf(c))).filter(
      (one) => purpose === undefined || one.purpose === purpose,
    )
    if (order === 'asc') all.reverse()
    const rest = all.slice(all.findIndex(({ id }) => id === after) + 1)
    const data = rest.slice(0, limit).map(bodyOf)
    return c.json({
      object: 'list',
      data,
      has_more: rest.length > data.length,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    })
  })
  routes.get('/v1/files/:id', async (c) => c.json(bodyOf(await uploads.find(ownerOf(c), c.req.param('id')))))
  routes.get('/v1/files/:id/content', async (c) => {
    const upload = await uploads.find(ownerOf(c), c.req.param('id'))
    // Never shown by a browser as a page of this server's.
    const name = encodeURIComponent(upload.filename)
    return c.body(uploads.contentOf(upload), 200, {
      'content-type': 'application/octet-stream',
      'content-length': String(upload.bytes),
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    })
  })
  routes.delete('/v1/files/:id', async (c) => {
    const { id } = await uploads.find(ownerOf(c), c.req.param('id'))
    if (await isRead(id)) throw fileInUse(id)
    await uploads.remove(id)
    return c.json({ id, object: 'file', deleted: true })
  })
  routes.get('/api/files/:id/text', async (c) => {
    const upload = await uploads.find(ownerOf(c), c.req.param('id'))
    const part = parseBody(textQuery, c.req.query())
    return c.json(await fileText(upload, uploads, { ...part, signal: c.req.raw.signal }))
  })
  return routes
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
