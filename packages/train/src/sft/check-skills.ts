/** Checks before training that every skill of every stage has documents that can be read perfectly. */
import { ConfigurationError } from '@memagent/core'
import { createRandom } from '@memagent/tasks'
import { groupLength } from '../pack-rows.ts'
import type { SftStage } from './config.ts'
import { drawTaskLesson, type TaskLessonSource } from './task-lessons.ts'

const documents = 24

/**
 * Draws documents of each skill until one gives a lesson, to fail here rather than hours into training.
 * @returns warnings about skills of which no document fits rows
 * @throws ConfigurationError naming a skill that gives none, and why; what its task throws
 */
export async function checkSkills(source: TaskLessonSource, stages: readonly SftStage[]): Promise<string[]> {
  const notices: string[] = []
  for (const [i, stage] of stages.entries()) {
    for (const [name, skill] of Object.entries(stage.skills)) {
      const random = createRandom('skills', i, name)
      const reasons = new Map<string, number>()
      const count = (_: string, reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      const alone = { ...stage, skills: { [name]: skill } }
      const longest: number[] = []
      const fits = (length: number) => length <= stage.rowTokens
      for (let n = 0; n < documents && !longest.some(fits); n++) {
        const lengths = (await drawTaskLesson(source, alone, random, count)).map(groupLength)
        if (lengths.length > 0) longest.push(Math.max(...lengths))
      }
      if (longest.length === 0) throw unreadable(name, i, [...reasons])
      if (!longest.some(fits)) notices.push(tooLong(name, i, stage, Math.min(...longest)))
    }
  }
  return notices
}

const tooLong = (name: string, stage: number, { rowTokens }: SftStage, least: number) =>
  `Stage ${stage + 1} leaves out a part of every document of the skill ${name}: a row of ${rowTokens} tokens does not hold all conversations of any of ${documents}; ${least} would. Raise stages[].rowTokens.`

function unreadable(name: string, stage: number, reasons: readonly (readonly [string, number])[]) {
  const [[reason] = ['']] = reasons.toSorted((a, b) => b[1] - a[1])
  return new ConfigurationError({
    code: 'train/unreadable-skill',
    message: `Of ${documents} documents of the skill ${name} in stage ${stage + 1}, none can be read perfectly. ${reason}`,
    hint: 'Change its lengths or options, sectionTokens, or the budget; or leave the skill out.',
  })
}
