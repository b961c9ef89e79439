/** What is compared: readers that start from the same weights and differ in one thing. */

/** The weights that every arm starts from: the bundled model as supervised training left it. */
export const coldStart = { name: 'cold', folder: 'recipes/nano/supervised' } as const

/** `models/nano`, the mean of the cold start and of `rl-1`, `rl-2` and `rl-3`: not trained here, but measured over length. */
export const bundled = { name: 'nano' } as const

export interface Arm {
  readonly name: string
  readonly command: 'sft' | 'rl'
  readonly config: string
  /** Fields that differ from the configuration, as `memagent train --set` takes them. */
  readonly settings: readonly string[]
  /**
   * The recorded run is older than a repair of the task: in one document of fifty a decoy about the subject could be taken for
   * the answer, in training and in the run's own evaluation.
   */
  readonly isBeforeRepair?: boolean
}

const seeds = [1, 2, 3]
const reinforced = (name: string, settings: readonly string[] = []): Arm => ({
  name,
  command: 'rl',
  config: 'recipes/nano/rl.yaml',
  settings: [`output=runs/lab/${name}`, ...settings],
})
const supervised = (name: string, settings: readonly string[]): Arm => ({
  name,
  command: 'sft',
  config: 'recipes/lab/sft-more.yaml',
  settings: [`output=runs/lab/${name}`, ...settings],
})

const beforeRepair = (arm: Arm): Arm => ({ ...arm, isBeforeRepair: true })

const fourUpdates = ['updates=4', 'optimizer.learningRate=0.00003', 'optimizer.finalLearningRate=0.000005']

/** In the order in which they are trained. */
export const arms: readonly Arm[] = [
  // Rewards of the final answer, credited to every conversation; and to the last one alone.
  ...seeds.map((seed) => beforeRepair(reinforced(`rl-${seed}`, [`seed=${seed}`]))),
  ...seeds.map((seed) => beforeRepair(reinforced(`rl-final-${seed}`, [`seed=${seed}`, 'loss.credit=final']))),
  // The alternative to rewards: more lessons, as many tokens trained on; and half as many at a higher learning rate.
  supervised('sft-more-low', ['optimizer.learningRate=0.0002']),
  supervised('sft-more-half', ['optimizer.learningRate=0.0005', 'stages.0.steps=2400']),
  // What a reviewer would ask for.
  reinforced('rl-conversation-mean', ['loss.aggregation=conversation-mean']),
  reinforced('rl-kl', ['loss.klCoefficient=0.001']),
  // With one update a batch every ratio is 1, and no bound matters.
  reinforced('rl-updates', fourUpdates),
  reinforced('rl-updates-clip-same', [...fourUpdates, 'loss.clipHigh=0.2']),
]
