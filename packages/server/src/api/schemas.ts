/** Requests of the run API, and its errors; `@memagent/web` says its replies. */
import { z } from 'zod'
import { temperature } from '../gateway/parse-body.ts'

const question = z.string().trim().min(1).max(100_000)

/** How texts are read. */
const reading = {
  files: z.array(z.string()).max(1000).default([]),
  text: z.string().min(1).optional().describe('A text that is given here, read after the files'),
  model: z.string().optional().describe('One of /api/models. The first, if left out'),
  workflow: z.string().optional().describe("One of the model's. Its own, if left out"),
}

const questions = {
  question: question.optional().describe('Neither this nor questions: notes are taken'),
  questions: z.array(question).min(1).max(100).optional().describe('Several, in one reading of the text'),
}

export const startBody = z.strictObject({
  ...questions,
  ...reading,
  temperature,
  seed: z.int().min(0).nullish(),
})

export const askBody = z.strictObject({
  question,
  memoryOf: z.int().positive().optional().describe('Of a run of several questions: whose memory, from 1'),
})

export const sessionReadBody = z.strictObject({
  question: question
    .optional()
    .describe('What the memory is for, when the session begins. Neither now nor then: notes are taken'),
  ...reading,
  readChanged: z
    .boolean()
    .default(false)
    .describe('Files that were read under this name with another content are read again'),
})

export const sessionAskBody = z.strictObject({
  question: question.optional().describe("The session's, if left out"),
})

export const listQuery = z.strictObject({
  state: z.enum(['waiting', 'running', 'unfinished', 'finished']).optional(),
  text: z.string().optional().describe("In the question, the document's name or the model's"),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  before: z.string().optional().describe('`next` of the page before'),
})

export const pageQuery = z.object({
  question: z.coerce.number().int().positive().optional().describe('Of several, from 1'),
})

export const followQuery = z.object({
  after: z.string().optional().describe('As the header Last-Event-ID, for who cannot send it'),
})

export const followHeaders = z.object({
  'last-event-id': z.string().optional().describe('Of the last step that is known: only later ones are told'),
})

export const apiError = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      hint: z.string().optional().describe('What can be done about it'),
      param: z.string().optional().describe('The field that is wrong'),
    }),
  })
  .meta({ id: 'ApiError' })
