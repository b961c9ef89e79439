/** The shape of checkpoints and log entries: files may come from elsewhere, and a broken one must not be resumed. */
import type { ChatResult } from '../chat/chat.ts'
import {
  finishReason,
  type KeptReply,
  keptReplyFields,
  tokenUsage,
  tokenUsageFields,
} from '../chat/kept-reply.ts'
import type { SourceRange } from '../chunking/chunker.ts'
import {
  aCount,
  aFlag,
  anAmount,
  anything,
  aText,
  isObject,
  listOf,
  objectOf,
  oneOf,
  optional,
  type Shape,
} from '../json-shape.ts'
import type { Answer, ConversationTag, EditCounts, Gates, Recall } from '../workflows/workflow.ts'
import type { MemorySize } from './adaptive-memory.ts'
import type { Checkpoint, DocumentPosition, EntryOwner, LogEntry } from './checkpoint.ts'
import type { EarlierReadings } from './earlier-readings.ts'
import type { CallUsage, ReadingEvent, ReadingUsage } from './events.ts'
import { positionMark, provenanceState, tracedStatement } from './provenance-shape.ts'
import type { ReadingWarning } from './warning-log.ts'

const textHash: Shape = (value, path) =>
  typeof value === 'string' && /^[0-9a-f]{16}$/.test(value) ? undefined : `${path} is not a hash`

/** Names and settings. Whether they match those of the run is compared by value elsewhere. */
const identity: Shape = (value, path) => {
  if (!isObject(value)) return `${path} is not an object`
  return ['document', 'question', 'model', 'workflow', 'tokenizer', 'memory']
    .map((name) => optional(aText)(value[name], `${path}.${name}`))
    .find((problem) => problem !== undefined)
}

const callUsage = objectOf<CallUsage>({
  ...tokenUsageFields,
  calls: aCount,
  unreportedCalls: optional(aCount),
})

export const readingWarnings = listOf(
  objectOf<ReadingWarning>({
    step: aCount,
    code: aText,
    message: aText,
    lastStep: aCount,
    count: aCount,
    touchesAnswer: aFlag,
  }),
)

export const readingUsage = objectOf<ReadingUsage>({
  ...tokenUsageFields,
  calls: aCount,
  unreportedCalls: optional(aCount),
  chunkTokens: anAmount,
  bytes: aCount,
  keptMemories: aCount,
  wasted: optional(callUsage),
  fromCache: optional(callUsage),
})

export const answerShape = objectOf<Answer>({
  text: aText,
  outcome: oneOf<Answer['outcome']>({ found: true, 'not-found': true, unsure: true }),
  response: optional(aText),
  finishReason: optional(finishReason),
  isUnusable: optional(aFlag),
})

export const memorySize = objectOf<MemorySize>({ memory: aCount, emptySteps: aCount })

export const checkpointShapes: { readonly [Name in keyof Checkpoint]-?: Shape } = {
  version: aCount,
  identity,
  sequence: aCount,
  steps: aCount,
  position: objectOf<DocumentPosition>({
    ordinal: aCount,
    characters: aCount,
    textHash,
    isEnd: optional(aFlag),
  }),
  // The workflow checks its own state.
  state: anything,
  usage: readingUsage,
  seconds: anAmount,
  memoryLogLength: aCount,
  warnings: readingWarnings,
  isDone: aFlag,
  memorySize: optional(memorySize),
  provenance: optional(provenanceState),
  earlier: optional(
    objectOf<EarlierReadings>({
      question: optional(aText),
      steps: aCount,
      bytes: aCount,
      keptMemories: aCount,
      memories: aCount,
      warnings: readingWarnings,
    }),
  ),
  answer: optional(answerShape),
}

const sourceRange = objectOf<SourceRange>({
  source: aText,
  startByte: aCount,
  endByte: aCount,
  marks: optional(listOf(positionMark)),
})

type EventOf<Type extends ReadingEvent['type']> = Extract<ReadingEvent, { type: Type }>
/** Events within a step. */
const eventShapes: Readonly<Record<string, Shape>> = {
  'chunk-end': objectOf<EventOf<'chunk-end'>>({
    type: aText,
    step: aCount,
    tokens: anAmount,
    bytes: aCount,
    ranges: listOf(sourceRange),
    usage: tokenUsage,
    seconds: anAmount,
    wasted: optional(callUsage),
    fromCache: optional(callUsage),
  }),
  'memory-end': objectOf<EventOf<'memory-end'>>({
    type: aText,
    step: aCount,
    slot: optional(aCount),
    memory: aText,
    previous: aText,
    changed: aFlag,
    origin: oneOf<EventOf<'memory-end'>['origin']>({ sampled: true, kept: true }),
    tokens: anAmount,
    edits: optional(
      objectOf<EditCounts>({ repeated: aCount, refused: aCount, unconfirmed: optional(aCount) }),
    ),
    gates: optional(objectOf<Gates>({ update: aFlag, exit: aFlag })),
    recall: optional(objectOf<Recall>({ query: optional(aText), memory: optional(aText) })),
  }),
  warning: objectOf<EventOf<'warning'>>({
    type: aText,
    step: aCount,
    code: aText,
    message: aText,
    malformed: optional(
      objectOf<ConversationTag>({
        step: aCount,
        kind: aText,
        slot: optional(aCount),
        pass: optional(aCount),
      }),
    ),
  }),
  sources: objectOf<EventOf<'sources'>>({
    type: aText,
    step: aCount,
    statements: listOf(tracedStatement),
  }),
  'budget-change': objectOf<EventOf<'budget-change'>>({
    type: aText,
    step: aCount,
    memory: aCount,
    chunk: aCount,
  }),
  wait: objectOf<EventOf<'wait'>>({
    type: aText,
    call: aText,
    reason: aText,
    code: aText,
    seconds: anAmount,
    attempt: aCount,
  }),
}

const typed =
  (shapes: Readonly<Record<string, Shape>>, what: string): Shape =>
  (value, path) => {
    const type = isObject(value) && typeof value.type === 'string' ? value.type : ''
    return Object.hasOwn(shapes, type) ? shapes[type]!(value, path) : `${path} is not a valid ${what}`
  }

/** An event of one of several questions read side by side, with the question's number. */
const eventWithin: Shape = (value, path) => {
  if (!isObject(value)) return `${path} is not an event`
  const { question, ...event } = value
  return (
    optional(aCount)(question, `${path}.question`) ?? typed(eventShapes, 'event within a step')(event, path)
  )
}

const entryOwner = optional(objectOf<EntryOwner>({ question: aCount, number: aCount }))

const entryShapes: { readonly [Type in LogEntry['type']]: Shape } = {
  memory: objectOf<Extract<LogEntry, { type: 'memory' }>>({
    type: aText,
    index: aCount,
    step: aCount,
    text: aText,
    of: entryOwner,
  }),
  conversation: objectOf<Extract<LogEntry, { type: 'conversation' }>>({
    type: aText,
    sequence: aCount,
    ahead: optional(aFlag),
    key: aText,
    result: objectOf<KeptReply & Pick<ChatResult, 'isFromCache'>>({
      ...keptReplyFields,
      isFromCache: optional(aFlag),
    }),
    of: entryOwner,
  }),
  events: objectOf<Extract<LogEntry, { type: 'events' }>>({
    type: aText,
    sequence: aCount,
    events: listOf(eventWithin),
  }),
}

export const logEntry = typed(entryShapes, 'log entry')

/** What a workflow may emit. */
export const workflowEvent = typed(
  { 'memory-end': eventShapes['memory-end']!, warning: eventShapes.warning! },
  'event of a workflow',
)
