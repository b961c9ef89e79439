import { expect, it } from 'vitest'
import { workflowNamed, workflowNames } from './registry.ts'

it('gives every workflow under its own name', async () => {
  for (const name of workflowNames) expect((await workflowNamed(name)).name).toBe(name)
})

it.each(['overwritten', 'toString', ''])('lists the known names for %j', async (name) => {
  await expect(workflowNamed(name)).rejects.toMatchObject({
    code: 'workflow/unknown',
    hint: expect.stringContaining(`Known: ${workflowNames.join(', ')};`),
  })
})
