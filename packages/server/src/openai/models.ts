/** `GET /v1/models`. */
import { z } from 'zod'
import { RequestError } from '../request-error.ts'
import type { ServedModel } from '../served-model.ts'

export const modelReply = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    created: z.int().describe('Seconds since 1970'),
    owned_by: z.string(),
    memagent: z.object({
      workflow: z.string(),
      window: z.int().describe('Tokens'),
      question: z.int().describe('Tokens of the longest question'),
    }),
  })
  .meta({ id: 'Model' })

export const modelsReply = z.object({ object: z.literal('list'), data: z.array(modelReply) })

const entryOf = ({ id, profile, workflow }: ServedModel, created: number): z.infer<typeof modelReply> => ({
  id,
  object: 'model',
  created,
  owned_by: 'memagent',
  memagent: { workflow: workflow.name, window: profile.budget.window, question: profile.budget.question },
})

/** @param created seconds since 1970 */
export const modelsBody = (models: readonly ServedModel[], created: number): z.infer<typeof modelsReply> => ({
  object: 'list',
  data: models.map((served) => entryOf(served, created)),
})

/** @throws RequestError 404 */
export function modelBody(id: string, models: readonly ServedModel[], created: number) {
  const served = models.find((model) => model.id === id)
  if (served) return entryOf(served, created)
  throw new RequestError({
    status: 404,
    code: 'model_not_found',
    message: `There is no model ${JSON.stringify(id)} here.`,
    param: 'model',
  })
}
