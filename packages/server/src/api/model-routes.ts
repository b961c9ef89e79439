/** The models that runs are read with. */
import { isTrainedFor } from '@memagent/core'
import { Hono } from 'hono'
import { workflowsOf } from '../runs/served-workflows.ts'
import type { ServedModel } from '../served-model.ts'

export function modelRoutes(models: readonly ServedModel[]): Hono {
  const routes = new Hono()
  routes.get('/api/models', async (c) => c.json({ models: await Promise.all(models.map(modelView)) }))
  return routes
}

async function modelView(served: ServedModel) {
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
