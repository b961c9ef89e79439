/** Checks before training that every skill of every stage has documents that can be read perfectly. */
import { ConfigurationError } from '@memagent/core'
import { createRandom } from '@memagent/tasks'
import type { SftStage } from './config.ts'
import { drawTaskLesson, type TaskLessonSource } from './task-lessons.ts'

const documents = 24

/**
 * Draws documents of each skill until one gives a lesson, to fail here rather than hours into training.
 * @throws ConfigurationError naming a skill that gives none, and why; what its task throws
 */
export async function checkSkills(source: TaskLessonSource, stages: readonly SftStage[]): Promise<void> {
  for (const [i, stage] of stages.entries()) {
    for (const [name, skill] of Object.entries(stage.skills)) {
      const random = createRandom('skills', i, name)
      const reasons = new Map<string, number>()
      const count = (_: string, reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      const alone = { ...stage, skills: { [name]: skill } }
      let isTaught = false
      for (let n = 0; n < documents && !isTaught; n++) {
        isTaught = (await drawTaskLesson(source, alone, random, count)).length > 0
      }
      if (!isTaught) throw unreadable(name, i, [...reasons])
    }
  }
}

function unreadable(name: string, stage: number, reasons: readonly (readonly [string, number])[]) {
  const [[reason] = ['']] = reasons.toSorted((a, b) => b[1] - a[1])
  return new ConfigurationError({
    code: 'train/unreadable-skill',
    message: `Of ${documents} documents of the skill ${name} in stage ${stage + 1}, none can be read perfectly. ${reason}`,
    hint: 'Change its lengths or options, sectionTokens, or the budget; or leave the skill out.',
  })
}
