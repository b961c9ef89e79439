/** A model as clients see it. Types only. */
import type { ChatModel, ModelProfile, Workflow } from '@memagent/core'

export interface ServedModel {
  /** What clients call it. */
  readonly id: string
  readonly model: ChatModel
  readonly profile: ModelProfile
  /** How texts are read that do not fit the window. */
  readonly workflow: Workflow
}

/**
 * Whether a conversation that fits the window goes to the model as it is. Models that were trained for a workflow know
 * its prompts alone.
 */
export const answersDirectly = ({ profile }: Pick<ServedModel, 'profile'>): boolean =>
  profile.workflows === undefined
