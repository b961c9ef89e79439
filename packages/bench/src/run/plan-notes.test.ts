import { expect, it } from 'vitest'
import { notesOnPlan } from './plan-notes.ts'
import { askOnce, madePlan, numberTask, plannedTask } from './testing/made-plan.ts'

it('tasks with fewer questions than a run asks are named before it', () => {
  const few = { ...numberTask('few'), questions: 3 }
  const tasks = [plannedTask(few, { 8: 64, 20: 2 }), plannedTask(numberTask('endless'), { 8: 64 })]
  expect(notesOnPlan(madePlan({ tasks }))).toEqual([
    'few has 3 questions, and is asked 64: reports count a repeated one once; with 3 samples, each is asked once.',
  ])
  expect(notesOnPlan(madePlan({ tasks: [plannedTask(few, { 8: 3 })] }))).toEqual([])
})

it('methods that no length of the run is meant for are named before it', () => {
  const methods = [
    { method: askOnce('all') },
    { method: askOnce('long'), lengths: [64_000] },
    { method: askOnce('short'), maxLengthTokens: 4 },
    { method: askOnce('some'), lengths: [8, 64_000] },
  ]
  expect(notesOnPlan(madePlan({ methods }))).toEqual([
    'long is asked nothing: its `lengths` or `maxLength` allow none of this run.',
    'short is asked nothing: its `lengths` or `maxLength` allow none of this run.',
  ])
})
