/** What a reading is given, in JavaScript too: an error names the option that is wrong. */
import { ConfigurationError } from '../errors.ts'
import { isObject } from '../json-shape.ts'
import { problemsOfWorkflow } from '../workflows/workflow-shape.ts'
import { checkLimits } from './limits.ts'
import type { ReadingOptions } from './options.ts'

type Given = { readonly [Name in keyof ReadingOptions | 'questions']?: unknown }

/** @throws ConfigurationError */
export function checkOptions(options: Given): void {
  const { document, model, workflow, limits, signal, tokenizer, questions = [] } = options
  for (const name of ['question', 'memory'] as const) {
    const value = options[name]
    if (value !== undefined && typeof value !== 'string') throw wrong(`${name} is no text`)
  }
  if (!Array.isArray(questions)) throw wrong('questions is no list')
  if (signal !== undefined && !(isObject(signal) && typeof signal.throwIfAborted === 'function')) {
    throw wrong('signal is no AbortSignal', 'The `signal` of an AbortController is one.')
  }
  if (tokenizer !== undefined && !(isObject(tokenizer) && typeof tokenizer.count === 'function')) {
    throw wrong('tokenizer is no tokenizer', 'createHuggingFaceTokenizer makes one of a tokenizer.json.')
  }
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

const wrong = (what: string, hint?: string) =>
  new ConfigurationError({ code: 'reading/bad-option', message: `The option ${what}`, hint })
