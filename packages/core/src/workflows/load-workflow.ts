/** A workflow by its name, or one of somebody's own by the path of its module. Reached through `@memagent/core/node`. */
import { ConfigurationError } from '../errors.ts'
import { type LoadedModule, loadModule } from '../files/load-module.ts'
import { isModulePath } from '../files/module-path.ts'
import { isObject } from '../json-shape.ts'
import { definePrompts, type WorkflowPrompts } from './prompts/prompts.ts'
import { workflowNamed, workflowNames } from './registry.ts'
import type { Workflow } from './workflow.ts'

/**
 * @param name such as `overwrite`, or a path such as `./mine.ts`, whose default export is the workflow
 * @throws ConfigurationError for an unknown name, and for a module that cannot be loaded or whose workflow lacks something
 */
export async function loadWorkflow(name: string): Promise<Workflow> {
  if (!isModulePath(name)) return workflowNamed(name)
  const broken = (reason: string, hint?: string, cause?: unknown) =>
    new ConfigurationError({
      code: 'workflow/bad-module',
      message: `The workflow module ${name}: ${reason}.`,
      hint,
      details: { path: name },
      cause,
    })
  const loaded = await loadModule(name, broken)
  const problems = problemsOf(loaded.exports.default)
  if (problems.length > 0) {
    throw broken(`its default export is no workflow:\n  ${problems.join('\n  ')}`, example)
  }
  return fingerprinted(loaded.exports.default as Workflow, loaded)
}

const example = 'docs/workflows.md says what it takes; examples/own-workflow.ts is a whole one.'

const functions = {
  init: 'init(question)',
  read: 'read(state, chunk, context)',
  answer: 'answer(state, question, context)',
  memory: 'memory(state)',
  isState: 'isState(value, after)',
}

function problemsOf(workflow: unknown): string[] {
  if (!isObject(workflow)) return [workflow === undefined ? 'there is none' : 'an object is wanted']
  const { name, unreadBytes, withMemory, run, estimate, callsPerChunk = 1, passes = 1 } = workflow
  return [
    ...(typeof name === 'string' && /^[\w.-]+$/.test(name)
      ? workflowNames.includes(name)
        ? [`name: there is another workflow named ${name}; give it a name of its own`]
        : []
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

/** By calls of the very object: it may be an instance of a class. */
function fingerprinted(workflow: Workflow, { hash }: LoadedModule): Workflow {
  const { name, prompts, callsPerChunk, passes, unreadBytes, withMemory, run, estimate } = workflow
  return {
    name,
    prompts,
    fingerprint: hash,
    callsPerChunk,
    passes,
    init: (question) => workflow.init(question),
    read: (state, chunk, context) => workflow.read(state, chunk, context),
    answer: (state, question, context) => workflow.answer(state, question, context),
    isState: (value, after): value is typeof value => workflow.isState(value, after),
    memory: (state) => workflow.memory(state),
    ...(unreadBytes && { unreadBytes: unreadBytes.bind(workflow) }),
    ...(withMemory && { withMemory: withMemory.bind(workflow) }),
    ...(run && { run: run.bind(workflow) }),
    ...(estimate && { estimate: estimate.bind(workflow) }),
  }
}
