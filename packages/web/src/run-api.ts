/** Replies of the server's run API, which its page reads. Times are milliseconds since 1970. */
import { z } from 'zod'

const count = z.int().min(0)

const warning = z.object({ code: z.string(), message: z.string() })
const failure = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional().describe('What can be done about it'),
})
const outcome = z.enum(['found', 'not-found', 'unsure', 'notes', 'answers'])

const position = z.record(z.string(), z.unknown())
const source = z.object({
  quote: z.string(),
  context: z.string().optional(),
  file: z.string(),
  startByte: count,
  endByte: count,
  place: z.string().optional().describe('For people: page 3, line 12'),
  position: position.optional(),
  step: count,
})

const usage = z
  .object({
    calls: count,
    unreportedCalls: count
      .optional()
      .describe('Those whose tokens the server of the model did not report: they are in no number of tokens'),
    promptTokens: count,
    completionTokens: count,
    bytes: count,
  })
  .loose()

const oneResult = z
  .object({
    answer: z
      .string()
      .optional()
      .describe('Missing where notes were taken. A sentence saying so if none was found'),
    outcome,
    memory: z.string(),
    warnings: z.array(warning),
    sources: z.array(source).optional(),
    usage,
    seconds: z.number(),
    unread: z.record(z.string(), z.unknown()).optional().describe('What of the text was not read'),
  })
  .meta({ id: 'RunResult' })

const result = z.union([
  oneResult,
  z.object({ answers: z.array(oneResult.extend({ question: z.string() })) }),
])

export const run = z
  .object({
    id: z.string(),
    state: z
      .enum(['waiting', 'running', 'unfinished', 'finished'])
      .describe('unfinished: it was stopped, or failed, and can be resumed'),
    question: z.string().optional(),
    questions: z.array(z.string()).optional(),
    document: z.string(),
    files: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .optional()
      .describe('Uploads that are read'),
    model: z.string(),
    workflow: z.string(),
    createdMs: z.number(),
    updatedMs: z.number(),
    steps: count.describe('Chunks read'),
    bytes: count.optional().describe('Of the text, read so far'),
    sizeBytes: count.optional().describe('Of the text, where it is known'),
    chunksPerSecond: z.number().optional(),
    secondsLeft: z.number().optional(),
    outcome: outcome.optional(),
    failure: failure.optional(),
    result: result.optional(),
    remarks: z.array(z.string()).optional().describe('What there is to say of the texts'),
  })
  .meta({ id: 'Run' })

export const runList = z.object({ runs: z.array(run), next: z.string().optional() })

const session = z
  .object({
    name: z.string(),
    question: z.string().optional().describe('What its memory is for. Missing: notes are taken'),
    model: z.string(),
    workflow: z.string(),
    createdMs: z.number(),
    updatedMs: z.number(),
    readingCount: count,
    documentCount: count,
    steps: count.describe('Chunks read'),
    unfinished: z.string().optional().describe('The run of a reading that is not finished'),
    failure: failure.optional().describe('What is damaged: then model and workflow are empty'),
  })
  .meta({ id: 'Session' })

export const estimate = z
  .object({
    document: z.string(),
    model: z.string(),
    workflow: z.string(),
    bytes: count.describe('Of the text'),
    tokens: count.describe('Of the text'),
    isExact: z.boolean().describe('False: tokens are estimated by characters'),
    chunks: count,
    calls: count.describe('Of the model: one for each chunk, and the answers'),
    mostCalls: count.describe('With all that chunks can give rise to'),
    mostPromptTokens: count,
    mostCompletionTokens: count,
    seconds: z
      .number()
      .optional()
      .describe('By the calls of this model so far, one at a time. Missing: none was made'),
    secondsForMostCalls: z
      .number()
      .optional()
      .describe('The same for `mostCalls`. No bound: calls may take longer than those so far'),
    mostPrice: z.number().optional().describe('Where the server knows the price of tokens'),
    remarks: z.array(z.string()).describe('What there is to say of the texts'),
  })
  .meta({ id: 'Estimate' })

/** What the server's page needs; the other parts are not meant for other clients. */
export const runPage = z.looseObject({ version: count, run: z.looseObject({ id: z.string() }) })

export const sessionList = z.object({ sessions: z.array(session) })

export const wholeSession = session
  .extend({
    memory: z.string(),
    readings: z.array(run),
    documents: z.array(
      z.object({
        name: z.string(),
        sizeBytes: count,
        reading: count.describe('That it belongs to, from 1'),
        isRead: z.boolean().describe('False while its reading is not finished'),
        isPart: z.boolean().describe('Its reading ended before its end'),
      }),
    ),
  })
  .meta({ id: 'WholeSession' })

const names = z.array(z.string())

export const sessionReadReply = z
  .object({
    run: run.optional().describe('The reading of what is new. Missing: nothing is'),
    read: names.describe('What it reads'),
    known: names.describe('Read before, as they are'),
    changed: names.describe('Read before with another content; read again only with readChanged'),
    copies: z.array(z.object({ name: z.string(), of: z.string() })).describe('The same text as another'),
  })
  .meta({ id: 'SessionRead' })

export const modelList = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      workflow: z.string(),
      window: count,
      workflows: z.array(z.string()),
      trainedFor: z.array(z.string()).optional().describe('Which of them. Missing: the model does not say'),
    }),
  ),
})

export const step = z
  .object({
    step: count,
    question: count.optional().describe('Of several, from 0'),
    ranges: z.array(
      z.object({
        file: z.string(),
        startByte: count,
        endByte: count,
        from: z.string().optional(),
        to: z.string().optional(),
      }),
    ),
    memories: z.array(
      z.object({
        slot: count.optional(),
        memory: z.string().optional().describe('Where it changed'),
        previous: z
          .string()
          .optional()
          .describe('In the first step of a reading that goes on from a memory: that'),
        changed: z.boolean(),
        origin: z.string(),
      }),
    ),
    warnings: z.array(warning),
  })
  .meta({ id: 'Step' })

export const textOfFile = z
  .object({
    name: z.string(),
    startByte: z.int().describe('Where the text begins: at a whole character'),
    text: z.string(),
    marks: z.array(z.object({ startByte: z.int(), place: z.string() })),
    nextByte: z.int().optional().describe('Where the text goes on'),
    remarks: z.array(z.string()).describe('What there is to say of it: a page without text'),
  })
  .meta({ id: 'FileText' })

export type Estimate = z.infer<typeof estimate>
export type FileText = z.infer<typeof textOfFile>
export type Model = z.infer<typeof modelList>['models'][number]
export type Run = z.infer<typeof run>
export type RunList = z.infer<typeof runList>
export type RunResultBody = z.infer<typeof oneResult>
export type Session = z.infer<typeof session>
export type SessionRead = z.infer<typeof sessionReadReply>
export type WholeSession = z.infer<typeof wholeSession>
export type Step = z.infer<typeof step>
