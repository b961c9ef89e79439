/** Warnings about settings of supervised training that change nothing, or do something else than they seem to. */
import { warmupNotices } from '../schedule.ts'
import { roomBesideSection, type SftConfig } from './config.ts'

export function settingNotices(config: SftConfig): string[] {
  const { skills, stages, optimizer, model, evaluation, prose } = config
  const { learningRate, finalLearningRate } = optimizer
  const idle = stages.flatMap((stage, i) =>
    stage.skillShare === 0 && Object.keys(stage.skills).length > 0 ? [i + 1] : [],
  )
  const taught = new Set(stages.flatMap((stage) => (stage.skillShare > 0 ? Object.keys(stage.skills) : [])))
  const untaught = Object.keys(skills).filter((name) => !taught.has(name))
  const cut = stages.flatMap(({ skillShare, sectionTokens, rowTokens }, i) => {
    const room = Math.max(0, rowTokens - roomBesideSection)
    return skillShare === 1 || sectionTokens <= room ? [] : [{ stage: i + 1, sectionTokens, rowTokens, room }]
  })
  const safe = Math.max(0, model.maxPositions - roomBesideSection)
  const tight = [
    // No section is longer than its row.
    ...stages.map(({ skillShare, sectionTokens, rowTokens }, i) => ({
      path: `stages[${i}].sectionTokens`,
      sectionTokens: skillShare < 1 && rowTokens > model.maxPositions ? sectionTokens : 0,
    })),
    {
      path: 'evaluation.sectionTokens',
      sectionTokens: prose.evaluationShare > 0 ? evaluation.sectionTokens : 0,
    },
  ].filter(({ sectionTokens }) => sectionTokens > safe)
  return [
    ...tight.map(
      ({ path, sectionTokens }) =>
        `${path} is ${sectionTokens}: question and memory take about ${roomBesideSection} tokens beside a section, and the training ends at a conversation that is longer than model.maxPositions, which is ${model.maxPositions}. ${safe} is safer.`,
    ),
    ...cut.map(
      ({ stage, sectionTokens, rowTokens, room }) =>
        `Stage ${stage} has no section of ${sectionTokens} tokens: a row of ${rowTokens} has room for ${room} beside question and memory. Raise stages[].rowTokens.`,
    ),
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
    ...warmupNotices(optimizer, stages),
  ]
}
