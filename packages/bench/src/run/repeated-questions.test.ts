import { expect, it } from 'vitest'
import { notesOnRepeatedQuestions } from './repeated-questions.ts'
import { madePlan, numberTask, plannedTask } from './testing/made-plan.ts'

it('tasks with fewer questions than a run asks are named before it', () => {
  const few = { ...numberTask('few'), questions: 3 }
  const tasks = [plannedTask(few, { 8: 64, 20: 2 }), plannedTask(numberTask('endless'), { 8: 64 })]
  expect(notesOnRepeatedQuestions(madePlan({ tasks }))).toEqual([
    'few has 3 questions, and is asked 64: reports count a repeated one once; with 3 samples, each is asked once.',
  ])
  expect(notesOnRepeatedQuestions(madePlan({ tasks: [plannedTask(few, { 8: 3 })] }))).toEqual([])
})
