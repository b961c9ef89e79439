/** Loads a workflow by its name, or a user's own by the path of its module. Exported by `@memagent/core/node`. */
import { ConfigurationError } from '../errors.ts'
import { type LoadedModule, loadModule } from '../files/load-module.ts'
import { isModulePath } from '../files/module-path.ts'
import { workflowNamed, workflowNames } from './registry.ts'
import type { Workflow } from './workflow.ts'
import { problemsOfWorkflow } from './workflow-shape.ts'

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
  const problems = problemsOfOwn(loaded.exports.default)
  if (problems.length > 0) {
    throw broken(`its default export is no workflow:\n  ${problems.join('\n  ')}`, example)
  }
  return fingerprinted(loaded.exports.default as Workflow, loaded)
}

function problemsOfOwn(workflow: unknown): string[] {
  const problems = problemsOfWorkflow(workflow)
  const { name } = (workflow ?? {}) as { readonly name?: unknown }
  return workflowNames.includes(name as string)
    ? [`name: there is another workflow named ${name}; give it a name of its own`, ...problems]
    : problems
}

const example = 'docs/workflows.md says what it takes; examples/own-workflow.ts is a whole one.'

/** Calls methods on the original object: it may be an instance of a class. */
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
