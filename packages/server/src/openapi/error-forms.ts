/** The form of errors, by route: each protocol has its own. */
import type { z } from 'zod'
import { errorSchema as anthropicError, errorReply as ofAnthropic } from '../anthropic/error-body.ts'
import { errorReply as ofApi } from '../api/error-body.ts'
import { apiError } from '../api/schemas.ts'
import type { ErrorReply } from '../failure.ts'
import { errorReply as ofMcp } from '../mcp/error-body.ts'
import { errorReply as ofOpenai, errorSchema as openaiError } from '../openai/error-body.ts'

interface ErrorForm {
  readonly reply: (error: unknown) => ErrorReply
  readonly body: z.ZodType
}

export const errorFormOf = (path: string): ErrorForm => {
  if (/^\/v1\/messages(\/|$)/.test(path)) return { reply: ofAnthropic, body: anthropicError }
  if (path === '/mcp') return { reply: ofMcp, body: openaiError }
  if (path.startsWith('/api/')) return { reply: ofApi, body: apiError }
  return { reply: ofOpenai, body: openaiError }
}
