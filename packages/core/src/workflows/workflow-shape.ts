/** Checks whether an object is a workflow before it is used: users may write one, also in JavaScript. */
import { isObject } from '../json-shape.ts'
import { definePrompts, type WorkflowPrompts } from './prompts/prompts.ts'

const functions = {
  init: 'init(question)',
  read: 'read(state, chunk, context)',
  answer: 'answer(state, question, context)',
  memory: 'memory(state)',
  isState: 'isState(value, after)',
}

/** What an object lacks to be a workflow, by field; empty if nothing. */
export function problemsOfWorkflow(workflow: unknown): string[] {
  if (!isObject(workflow)) return [workflow === undefined ? 'there is none' : 'an object is wanted']
  const { name, unreadBytes, withMemory, run, estimate, callsPerChunk = 1, passes = 1 } = workflow
  return [
    ...(typeof name === 'string' && /^[\w.-]+$/.test(name)
      ? []
      : ['name: a word of letters, digits, "-", "_" and "." is wanted']),
    ...problemsOfPrompts(workflow.prompts),
    ...Object.entries(functions)
      .filter(([field]) => typeof workflow[field] !== 'function')
      .map(([field, signature]) => `${field}: a function is wanted: ${signature}`),
    ...Object.entries({ unreadBytes, withMemory, run, estimate })
      .filter(([, value]) => value !== undefined && typeof value !== 'function')
      .map(([field]) => `${field}: a function is wanted, or nothing`),
    ...Object.entries({ callsPerChunk, passes })
      .filter(([, count]) => !(Number.isSafeInteger(count) && (count as number) > 0))
      .map(([field]) => `${field}: a whole number of at least 1 is wanted, or nothing`),
  ]
}

function problemsOfPrompts(prompts: unknown): string[] {
  const parts = isObject(prompts) ? [prompts.conversations, prompts.texts, prompts.sets] : []
  if (parts.length === 0 || !parts.every(isObject) || Object.keys(parts[2] as object).length === 0) {
    return ['prompts: what definePrompts gives is wanted, with conversations, texts and at least one of sets']
  }
  try {
    definePrompts(prompts as unknown as WorkflowPrompts)
    return []
  } catch (error) {
    return [`prompts: ${(error as Error).message.replaceAll('\n', '\n  ')}`]
  }
}
