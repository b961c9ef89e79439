/** Warnings about settings of supervised training that change nothing, or do something else than they seem to. */
import { type SftConfig, totalSteps } from './config.ts'

export function settingNotices(config: SftConfig): string[] {
  const { skills, stages, optimizer } = config
  const { learningRate, finalLearningRate, warmupSteps } = optimizer
  const steps = totalSteps(config)
  const idle = stages.flatMap((stage, i) =>
    stage.skillShare === 0 && Object.keys(stage.skills).length > 0 ? [i + 1] : [],
  )
  const taught = new Set(stages.flatMap((stage) => (stage.skillShare > 0 ? Object.keys(stage.skills) : [])))
  const untaught = Object.keys(skills).filter((name) => !taught.has(name))
  return [
    ...idle.map(
      (stage) =>
        `Stage ${stage} names skills and teaches none: its skillShare is 0. Set stages[].skillShare.`,
    ),
    ...(untaught.length > 0 ? [`No stage teaches ${untaught.join(', ')} of \`skills\`.`] : []),
    ...(finalLearningRate > learningRate
      ? [
          `optimizer.finalLearningRate is ${finalLearningRate}, more than optimizer.learningRate, which is ${learningRate}: the rate rises after the warm-up.`,
        ]
      : []),
    ...(warmupSteps > steps
      ? [
          `The training of ${steps} ${steps === 1 ? 'step' : 'steps'} ends within its warm-up of ${warmupSteps}: it never has the learning rate of ${learningRate}. Set optimizer.warmupSteps.`,
        ]
      : []),
  ]
}
