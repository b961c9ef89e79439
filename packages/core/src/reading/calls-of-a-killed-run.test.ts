/** Every call of a killed run is counted, and only the one that failed is repeated. */
import { expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { ChatError, LimitError } from '../errors.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { edits, editsConfirmed } from '../workflows/edits/edits.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { collect } from './testing/short-reading.ts'

const profile = { ...contractProfile, budget: { ...contractProfile.budget, window: 600 } }

/** Adds a line for every chunk, and makes room when the memory is full. The call after `failAt` others fails, once. */
function modelOf(failAt = -1) {
  const made: string[] = []
  let fails = true
  const model = createScriptedModel(
    ({ messages }) => {
      if (made.length === failAt && fails) {
        fails = false
        return new ChatError({ code: 'chat/gone', message: 'the model is gone' })
      }
      const prompt = messages[0]!.content
      made.push(prompt)
      if (/too long/.test(prompt)) return `-${/#\d+/.exec(prompt.slice(prompt.lastIndexOf('<memory>')))![0]}`
      if (!/<section>/.test(prompt)) return '\\boxed{x}'
      const guest = /<section>\s*Guest (\d+)/.exec(prompt)![1]
      return `+ Guest ${guest} came ${'and stayed '.repeat(6).trim()}.`
    },
    { profile, contextWindow: profile.budget.window },
  )
  return { model, made }
}

const endOf = async (options: Parameters<typeof collect>[0]) => {
  const end = (await collect(options)).at(-1)
  if (end?.type !== 'answer') throw new Error('There is no answer.')
  return end
}

it.each([edits, editsConfirmed])('of $name', async (workflow) => {
  // One at a time: of several, those in flight would be lost.
  const one = { workflow: workflow as unknown as Workflow, concurrency: 1 }
  const whole = modelOf()
  const expected = await endOf({ ...one, model: whole.model })
  expect(expected.usage.calls).toBe(whole.made.length)
  // There are steps of several calls, in which a kill may fall.
  expect(whole.made.length).toBeGreaterThan(expected.steps + 2)
  for (let failAt = 0; failAt < whole.made.length; failAt++) {
    const { model, made } = modelOf(failAt)
    const checkpoints = { ...createMemoryCheckpointStore(), isWrittenFirst: true }
    await expect(collect({ ...one, model, checkpoints })).rejects.toThrow('the model is gone')
    const { usage, memory } = await endOf({ ...one, model, checkpoints })
    expect({ memory, calls: usage.calls, made }).toEqual({
      memory: expected.memory,
      calls: whole.made.length,
      made: whole.made,
    })
  }
})

it('of an answer that a limit stopped between its two calls', async () => {
  let made = 0
  let answers = 0
  const model = createScriptedModel(
    ({ messages }) => {
      made++
      if (/<section>/.test(messages[0]!.content)) return made === 1 ? '+ Ann came.' : 'none'
      return answers++ === 0 ? '' : '\\boxed{Ann}'
    },
    { profile, contextWindow: profile.budget.window },
  )
  const checkpoints = createMemoryCheckpointStore()
  const workflow = edits as unknown as Workflow
  const chunks = (await endOf({ model, workflow })).steps
  ;[made, answers] = [0, 0]
  const stopped = collect({ model, workflow, checkpoints, limits: { maxCalls: chunks + 1 } })
  await expect(stopped).rejects.toThrow(LimitError)
  expect(made).toBe(chunks + 1)
  const { usage, answer } = await endOf({ model, workflow, checkpoints })
  expect(answer.text).toBe('Ann')
  expect(usage.calls).toBe(made)
})
