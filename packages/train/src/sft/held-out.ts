/** Checks that lessons do not use what is kept for evaluation. */
import { drawsOf, evaluationNotices, trainingNotices } from '../held-out-draws.ts'
import type { SftConfig } from './config.ts'
import { heldOutSkills } from './evaluation.ts'

/** Warnings about skills that train on what is kept for evaluation, or the other way round. */
export async function heldOutNotices({ skills, stages, prose }: SftConfig): Promise<string[]> {
  const taught = Object.fromEntries(
    Object.entries(skills).filter(([name]) => stages.some((stage) => Object.hasOwn(stage.skills, name))),
  )
  const training = await drawsOfSkills(taught)
  // Evaluation covers the skills of the last stage.
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
