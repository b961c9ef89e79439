/** A profile names the workflows that its model was trained for: the default, its identity, and the warning about another one. */
import { describe, expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { parseProfile } from '../settings/parse-profile.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { edits } from '../workflows/edits/edits.ts'
import { gatedExit } from '../workflows/gated/gated.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import { skim } from '../workflows/skim/skim.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { collect } from './testing/short-reading.ts'

const trained = (...workflows: string[]) => ({ ...contractProfile, workflows })
const modelWith = (profile: typeof contractProfile, update = '+ Ann came.', box = 'Ann') =>
  createScriptedModel(
    ({ messages }) => (messages[0]!.content.includes('<section>') ? update : `\\boxed{${box}}`),
    { profile },
  )
const workflowOf = (events: Awaited<ReturnType<typeof collect>>) =>
  events.flatMap((event) => (event.type === 'reading-start' ? [event.workflow] : []))
const untrained = (events: Awaited<ReturnType<typeof collect>>) =>
  events.filter((event) => event.type === 'warning' && event.code === 'workflow-untrained')

describe('a model that was trained for workflows', () => {
  it('reads with the first of them by default, a model without any with overwrite', async () => {
    expect(workflowOf(await collect({ model: modelWith(trained('edits', 'overwrite')) }))).toEqual(['edits'])
    expect(workflowOf(await collect({ model: modelWith(contractProfile) }))).toEqual(['overwrite'])
  })

  it('has a default that identifies the run', async () => {
    const checkpoints = createMemoryCheckpointStore()
    await collect({ model: modelWith(trained('edits')), checkpoints })
    expect((await checkpoints.load())?.identity.workflow).toBe('edits')
    await expect(collect({ model: modelWith(trained('overwrite')), checkpoints })).rejects.toMatchObject({
      code: 'checkpoint/of-another-run',
    })
  })

  it.each([
    ['overwrite', skim],
    ['gated', gatedExit],
  ])('%s was trained for one that holds the same conversations', async (name, other) => {
    const workflow = other as unknown as Workflow
    const note = 'yes\nAnn came.\ncontinue'
    expect(untrained(await collect({ model: modelWith(trained(name), note), workflow }))).toEqual([])
    expect(untrained(await collect({ model: modelWith(trained('edits'), note), workflow }))).toHaveLength(1)
  })

  it('is told of when it reads with another, once, also where the reading resumes', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const workflow = overwrite as unknown as Workflow
    const failing = createScriptedModel(['A note.', new Error('gone')], {
      profile: trained('edits', 'recall'),
    })
    await expect(collect({ model: failing, workflow, checkpoints })).rejects.toThrow('gone')
    const events = await collect({ model: modelWith(trained('edits', 'recall')), workflow, checkpoints })
    const end = events.at(-1)
    if (end?.type !== 'answer') return expect.unreachable()
    expect(end.warnings.filter(({ code }) => code === 'workflow-untrained')).toMatchObject([
      {
        count: 1,
        message: expect.stringMatching(
          /not trained for the workflow overwrite: .* trained for edits \(the default\) and recall\.$/,
        ),
      },
    ])
    expect(end.answer).toMatchObject({ text: 'Ann', outcome: 'found' })
  })

  it('says "not in the text" with another one only as unsure', async () => {
    const read = (profile: typeof contractProfile) =>
      collect({ model: modelWith(profile, 'none'), profile, workflow: edits as unknown as Workflow })
    const [known, unknown] = [await read(trained('overwrite')), await read(contractProfile)]
    expect(untrained(known)).toHaveLength(1)
    expect(known.at(-1)).toMatchObject({ answer: { outcome: 'unsure', text: '' } })
    expect(untrained(unknown)).toEqual([])
    expect(unknown.at(-1)).toMatchObject({ answer: { outcome: 'not-found' } })
  })

  it('has a profile that names them, with a clear error for anything else', () => {
    const { name, budget } = contractProfile
    expect(parseProfile({ name, budget, workflows: ['edits'] }).workflows).toEqual(['edits'])
    for (const workflows of ['edits', [], [''], [1]]) {
      expect(() => parseProfile({ name, budget, workflows }, 'mine.json')).toThrow(/mine\.json .*workflows/)
    }
  })

  it('may be trained for one of somebody’s own, which is then chosen by its path', async () => {
    await expect(collect({ model: modelWith(trained('mine')) })).rejects.toThrow(/no workflow named mine/)
  })
})
