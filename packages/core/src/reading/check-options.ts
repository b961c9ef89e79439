/** Checks the options of a reading, which may come from JavaScript: an error names the wrong option. */
import type { ConversationCache } from '../chat/conversation-cache.ts'
import { checkSampling } from '../chat/sampling.ts'
import { ConfigurationError } from '../errors.ts'
import { aCount, anything, aText, isObject, listOf, objectOf, optional } from '../json-shape.ts'
import type { MemoryLogEntry } from '../workflows/workflow.ts'
import { problemsOfWorkflow } from '../workflows/workflow-shape.ts'
import type { CheckpointStore } from './checkpoint.ts'
import { memorySize, readingWarnings } from './checkpoint-shape.ts'
import { checkLimits, type ReadingLimits } from './limits.ts'
import type { ReadingOptions } from './options.ts'
import { provenanceState } from './provenance-shape.ts'
import type { ReadingStart } from './reading-start.ts'

type Given = { readonly [Name in keyof ReadingOptions | 'questions']?: unknown }

/** Set outside `limits`, these would limit nothing. */
const limitNames: readonly (keyof ReadingLimits)[] = ['maxCalls', 'maxCost', 'prices']

const readingStart = objectOf<ReadingStart>({
  question: optional(aText),
  state: anything,
  steps: aCount,
  bytes: aCount,
  keptMemories: aCount,
  warnings: readingWarnings,
  memories: listOf(objectOf<MemoryLogEntry>({ step: aCount, text: aText })),
  memorySize: optional(memorySize),
  provenance: optional(provenanceState),
})

const storeMethods = ['load', 'save', 'append', 'readLog'] satisfies readonly (keyof CheckpointStore)[]
const cacheMethods = ['get', 'put'] satisfies readonly (keyof ConversationCache)[]

/** Other properties are allowed. @throws ConfigurationError */
export function checkOptions(options: Given): void {
  const { document, model, workflow, limits, signal, tokenizer, sampling, start, questions = [] } = options
  const { mostAnswerTokens: most } = options
  for (const name of limitNames) {
    if ((options as ReadingLimits)[name] !== undefined)
      throw wrong(`${name} is one of limits`, `Write limits: { ${name} }.`)
  }
  for (const name of ['question', 'memory'] as const) {
    const value = options[name]
    if (value !== undefined && typeof value !== 'string') throw wrong(`${name} is no text`)
  }
  if (!Array.isArray(questions)) throw wrong('questions is no list')
  const problem = start === undefined ? undefined : readingStart(start, 'start')
  if (problem !== undefined) {
    throw wrong(problem, '`startAfter` makes one of the last checkpoint of a reading.')
  }
  if (start !== undefined && options.memory !== undefined) {
    throw wrong(
      'memory cannot stand beside start, which has the memory to go on from',
      'Leave one of them out.',
    )
  }
  if (most !== undefined && !(Number.isSafeInteger(most) && (most as number) > 0))
    throw wrong(`mostAnswerTokens cannot be ${String(most)}`, 'It takes a whole number of at least 1.')
  if (signal !== undefined && !(isObject(signal) && typeof signal.throwIfAborted === 'function')) {
    throw wrong('signal is no AbortSignal', 'The `signal` of an AbortController is one.')
  }
  if (tokenizer !== undefined && !(isObject(tokenizer) && typeof tokenizer.count === 'function')) {
    throw wrong('tokenizer is no tokenizer', 'createHuggingFaceTokenizer makes one of a tokenizer.json.')
  }
  for (const name of ['onConversation', 'now'] as const) {
    const value = options[name]
    if (value !== undefined && typeof value !== 'function') throw wrong(`${name} is no function`)
  }
  if (sampling !== undefined) {
    if (!isObject(sampling)) throw wrong('sampling is no object', 'It is { temperature, topP, seed }.')
    checkSampling(sampling)
  }
  requireMethods(
    'checkpoints',
    options.checkpoints,
    storeMethods,
    'createFileCheckpointStore of @memagent/core/node makes a store of a path.',
  )
  requireMethods(
    'cache',
    options.cache,
    cacheMethods,
    'It takes get(key), which returns a promise, and put(key, reply).',
  )
  if (!isObject(model) || typeof model.generate !== 'function') {
    throw wrong(
      'model is no chat model',
      'createOpenAICompatibleModel makes one, or createEmbeddedChatModel of @memagent/engine.',
    )
  }
  if (!isObject(document) || typeof document.open !== 'function') {
    throw wrong(
      'document is no document',
      'createTextDocument makes one of a text, openDocuments of @memagent/documents one of files.',
    )
  }
  const problems = workflow === undefined ? [] : problemsOfWorkflow(workflow)
  if (problems.length > 0) {
    throw wrong(
      `workflow is no workflow:\n  ${problems.join('\n  ')}`,
      `workflowNamed('edits') gives one by its name. docs/workflows.md says what one of your own takes.`,
    )
  }
  if (limits === undefined) return
  if (!isObject(limits)) throw wrong('limits is no object', 'It is { maxCalls, maxCost, prices }.')
  checkLimits(limits)
}

/** One that lacks a method would fail only after calls were paid for. */
function requireMethods(option: string, value: unknown, names: readonly string[], hint: string): void {
  if (value === undefined) return
  const missing = isObject(value) ? names.filter((name) => typeof value[name] !== 'function') : names
  if (missing.length > 0) throw wrong(`${option} has no ${missing.join(', ')}`, hint)
}

const wrong = (what: string, hint?: string) =>
  new ConfigurationError({ code: 'reading/bad-option', message: `The option ${what}`, hint })
