/** The workflows that a model can be read with here. */
import { promptsFor, type Workflow, workflowNamed, workflowNames } from '@memagent/core'
import { RequestError } from '../request-error.ts'
import type { ServedModel } from '../served-model.ts'

/** The served workflow first, then those for which the profile has prompts. */
export async function workflowsOf({ workflow, profile }: ServedModel): Promise<readonly Workflow[]> {
  const found = [workflow]
  for (const name of workflowNames) {
    if (name === workflow.name) continue
    const other = await workflowNamed(name)
    if (hasPrompts(other, profile.prompts)) found.push(other)
  }
  return found
}

function hasPrompts(workflow: Workflow, prompts: ServedModel['profile']['prompts']): boolean {
  try {
    promptsFor(workflow, prompts)
    return true
  } catch {
    return false
  }
}

/** @throws RequestError 400 */
export async function workflowOf(served: ServedModel, name: string | undefined): Promise<Workflow> {
  if (name === undefined || name === served.workflow.name) return served.workflow
  const all = await workflowsOf(served)
  const found = all.find((workflow) => workflow.name === name)
  if (found) return found
  throw new RequestError({
    status: 400,
    code: 'server/no-workflow',
    message: `${served.id} cannot be read with the workflow ${name}; it can with ${all.map((one) => one.name).join(', ')}.`,
    param: 'workflow',
  })
}

/** @param name @default the first @throws RequestError 400 */
export function servedModel(models: readonly ServedModel[], name: string | undefined): ServedModel {
  const found = name === undefined ? models[0] : models.find(({ id }) => id === name)
  if (found) return found
  throw new RequestError({
    status: 400,
    code: 'server/no-model',
    message: `There is no model ${JSON.stringify(name)} here; there is ${models.map(({ id }) => id).join(', ')}.`,
    param: 'model',
  })
}
