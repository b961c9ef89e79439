/** Training must not exceed what a dry run predicts. */
import {
  ConfigurationError,
  createTextDocument,
  edits,
  type Json,
  parallel,
  type Workflow,
} from '@memagent/core'
import type { Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { shortAnswers, shortParts, shortTraining } from '../testing/short-training.ts'
import { dryRun } from './dry-run.ts'

const reader = scriptedReader(beforeAll, afterAll)
const configOf = () => {
  const config = shortTraining(reader.folder.join('run'), reader.folder.join('model'))
  return { ...config, rollouts: { ...config.rollouts, groups: 1, draws: 1 } }
}
const textOf = (tokens: number) => createTextDocument('one two three. '.repeat(tokens / 4), 'text')

describe('a dry run', () => {
  it('takes the longest of the lengths of a stage, whatever a step draws', async () => {
    const task: Task = {
      ...shortAnswers,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        document: textOf(request.lengthTokens),
      }),
    }
    const stepOf = async (...lengths: number[]) =>
      (await dryRun({ ...configOf(), curriculum: [{ steps: 4, lengths }] }, { ...shortParts, task })).step
    expect(await stepOf(12, 200)).toEqual(await stepOf(200))
    expect(await stepOf(200, 12, 12, 12, 12)).toEqual(await stepOf(200))
  })

  it('says why no document of a task that keeps its lengths can be made', async () => {
    const task: Task = {
      ...shortAnswers,
      keepsLength: true,
      sample: async () => {
        throw new ConfigurationError({ code: 'task/document-too-short', message: 'It is too short.' })
      },
    }
    await expect(dryRun(configOf(), { ...shortParts, task })).rejects.toThrow(
      /^Of [1-9].* none can be read\. It is too short\./,
    )
  })

  it('measures documents that keep their lengths, all that training and evaluation draw', async () => {
    const task: Task = {
      ...shortAnswers,
      keepsLength: true,
      questions: 20,
      sample: async (request) => ({
        ...(await shortAnswers.sample(request)),
        document: textOf(request.index === 17 ? 400 : 40),
      }),
    }
    const config = { ...configOf(), curriculum: [{ steps: 20, lengths: [12] }] }
    const costOf = async (change: Partial<Task>, samples: number) => {
      const changed = { ...task, ...change }
      const evaluation = { ...config.evaluation, samples, lengths: [12] }
      return dryRun({ ...config, evaluation }, { ...shortParts, task: changed, evaluationTask: changed })
    }
    const [long, short] = [await costOf({}, 20), await costOf({ questions: 17 }, 17)]
    expect(long.step.documentTokens).toBeGreaterThan(300)
    expect(short.step.documentTokens).toBeLessThan(long.step.documentTokens / 5)
    expect(long.evaluation.promptTokens).toBeGreaterThan(5 * short.evaluation.promptTokens)
  })

  it.each<[string, Workflow<Json>, (prompt: string) => string]>([
    // Adds line after line, so the memory fills up and is consolidated.
    ['edits', edits as unknown as Workflow<Json>, () => '+ one two three four'],
    [
      'parallel',
      parallel as unknown as Workflow<Json>,
      (prompt) => (prompt.includes('<section>') ? 'yes one two three' : 'one two three'),
    ],
  ])(
    'counts memories and calls of %s, whose form the stand-in does not write',
    async (_, workflow, respond) => {
      const sample = { ...(await shortAnswers.sample({ index: 0 } as never)), document: textOf(200) }
      const { conversations } = await reader.rollOut(workflow, sample, respond)
      const task: Task = { ...shortAnswers, keepsLength: true, sample: async () => sample }
      const { step } = await dryRun(configOf(), { ...shortParts, workflow, task })
      const tokens = conversations.reduce((sum, { promptTokens }) => sum + promptTokens.length, 0)
      expect(step.conversations / step.rollouts).toBeGreaterThanOrEqual(conversations.length)
      expect(step.promptTokens / step.rollouts).toBeGreaterThanOrEqual(tokens)
    },
  )
})
