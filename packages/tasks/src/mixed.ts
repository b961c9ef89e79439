/**
 * Mixed: each sample is a question of one of several tasks, drawn by weight; its label `skill` says which. Rewards over it train
 * several skills at once.
 */
import { z } from 'zod'
import { defineTask, type TaskDefinition } from './define-task.ts'
import { createRandom } from './random.ts'
import { badOption, prose } from './settings/task-options.ts'
import type { Task } from './task.ts'

const part = z.strictObject({
  task: z.string().describe('A task by name.'),
  options: z.record(z.string(), z.unknown()).default({}).describe('Its options.'),
  weight: z.number().positive().default(1).describe('How often it is drawn, compared to the others.'),
})

/** Tasks that can be mixed, by name. */
export type Mixable = Readonly<Record<string, { definition(): Promise<TaskDefinition> }>>

export const mixedOf = (mixable: Mixable) =>
  defineTask({
    name: 'mixed',
    description: 'Questions of several tasks, drawn by weight.',
    options: z.strictObject({
      prose,
      tasks: z
        .record(z.string(), part)
        .refine((parts) => Object.keys(parts).length > 0, 'name at least one task')
        .describe('The tasks, by names of your own: `list: { task: several-values, weight: 2 }`.'),
      shared: z
        .record(z.string(), z.unknown())
        .default({})
        .describe('Options for all of these tasks that take them, such as `split`.'),
    }),
    async create({ prose, tasks, shared }): Promise<Task> {
      const made = new Map<string, Task>()
      for (const [name, part] of Object.entries(tasks)) {
        made.set(name, await createPart(mixable, name, part, { ...shared, prose }))
      }
      const draw = drawByWeight(tasks)
      return {
        name: 'mixed',
        async sample(request) {
          const skill = draw(createRandom('mixed', request.seed, request.index).next())
          const sample = await made.get(skill)!.sample(request)
          return { ...sample, labels: { ...sample.labels, skill } }
        },
        score: (sample, answer, response) =>
          made.get(`${sample.labels.skill}`)!.score(sample, answer, response),
      }
    },
  })

type Parts = Readonly<Record<string, z.output<typeof part>>>

/** Maps a number from 0 to 1 to a name. */
function drawByWeight(parts: Parts): (at: number) => string {
  const all = Object.entries(parts)
  const total = all.reduce((sum, [, { weight }]) => sum + weight, 0)
  return (at) => {
    let left = at * total
    for (const [name, { weight }] of all) {
      left -= weight
      if (left < 0) return name
    }
    return all.at(-1)![0]
  }
}

/** @throws TaskError for a task that cannot be mixed, and for its options */
async function createPart(
  mixable: Mixable,
  name: string,
  { task, options }: z.output<typeof part>,
  shared: Readonly<Record<string, unknown>>,
): Promise<Task> {
  if (!Object.hasOwn(mixable, task)) {
    const known = `it takes one of ${Object.keys(mixable).join(', ')}`
    throw badOption('mixed', `tasks.${name}.task`, task, known)
  }
  const definition = await mixable[task]!.definition()
  const known = Object.entries(shared).filter(([option]) => Object.hasOwn(definition.options.shape, option))
  return definition.create({ ...Object.fromEntries(known), ...options })
}
