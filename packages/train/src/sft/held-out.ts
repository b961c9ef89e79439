/** Whether lessons keep what evaluation asks for. */
import { drawsOf, evaluationNotices, trainingNotices } from '../held-out-draws.ts'
import type { SftConfig } from './config.ts'
import { heldOutSkills } from './evaluation.ts'

/** Warnings about skills that draw in training what is kept for evaluation, or the other way round. */
export async function heldOutNotices({ skills, stages, prose }: SftConfig): Promise<string[]> {
  const taught = Object.fromEntries(
    Object.entries(skills).filter(([name]) => stages.some((stage) => Object.hasOwn(stage.skills, name))),
  )
  const training = await drawsOfSkills(taught)
  // The last stage's skills are those that are evaluated.
  const evaluated = Object.entries(taught).filter(([name]) => Object.hasOwn(stages.at(-1)!.skills, name))
  const evaluation =
    prose.evaluationShare === 0
      ? []
      : await drawsOfSkills(heldOutSkills(Object.fromEntries(evaluated), 'held-out'))
  return [
    ...trainingNotices(training, 'the options of the skill'),
    ...evaluationNotices(
      training,
      evaluation,
      'Evaluation changes a split that is among the options of a skill: name it there, and mixed tasks as skills of their own.',
    ),
  ]
}

async function drawsOfSkills(skills: SftConfig['skills']) {
  const all = Object.entries(skills).map(([name, { task, options }]) => drawsOf(name, task, options))
  return (await Promise.all(all)).flat()
}
