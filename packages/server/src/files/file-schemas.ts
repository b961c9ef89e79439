/** Requests and replies of the file routes; `@memagent/web` has the text that its page shows. */
import { z } from 'zod'

/** As in OpenAI's protocol. */
export const fileBody = z
  .object({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.int(),
    created_at: z.int().describe('Seconds since 1970'),
    filename: z.string(),
    purpose: z.string(),
    status: z.literal('processed'),
  })
  .meta({ id: 'File' })

export const fileList = z.object({
  object: z.literal('list'),
  data: z.array(fileBody),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
})

export const removedFile = z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) })

export const fileForm = z.object({
  file: z.string().meta({ format: 'binary' }),
  purpose: z
    .string()
    .optional()
    .describe(
      'run-file: not listed, and removed with the last run that reads it. Otherwise for the list alone. user_data, if left out',
    ),
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
