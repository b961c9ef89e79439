/** The models that runs are read with. */
import { isTrainedFor } from '@memagent/core'
import { type Model, modelList } from '@memagent/web'
import { type Route, route } from '../openapi/route.ts'
import { workflowsOf } from '../runs/served-workflows.ts'
import type { ServedModel } from '../served-model.ts'

export const modelsRoute = (models: readonly ServedModel[]): Route =>
  route('get', '/api/models', {
    summary: 'Models, with the workflows that they can be read with',
    replies: {
      200: {
        description: 'The models; the first is the one that reads unless another is named',
        json: modelList,
      },
    },
    answer: async (c) => c.json({ models: await Promise.all(models.map(modelView)) }),
  })

async function modelView(served: ServedModel): Promise<Model> {
  const workflows = await workflowsOf(served)
  const trainedFor = workflows.filter(({ name, conversationsOf = name }) =>
    isTrainedFor(served.profile, conversationsOf),
  )
  return {
    id: served.id,
    workflow: served.workflow.name,
    window: served.profile.budget.window,
    workflows: workflows.map(({ name }) => name),
    ...(served.profile.workflows && { trainedFor: trainedFor.map(({ name }) => name) }),
  }
}
