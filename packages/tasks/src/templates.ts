/** Selects templates: those of training, or those held out of it. */
import type { TemplateChoice } from './facts/facts.ts'
import type { Template } from './facts/kind.ts'

/** The chosen ones; all if there are none. */
export function templatesOf<T extends Template>(
  templates: readonly T[],
  choice: TemplateChoice,
): readonly T[] {
  const chosen = templates.filter(({ heldOut }) => choice === 'any' || heldOut === (choice === 'held-out'))
  return chosen.length > 0 ? chosen : templates
}

/** A held-out statement may be asked for with any question. */
export const questionsFor = (templates: TemplateChoice): TemplateChoice =>
  templates === 'train' ? 'train' : 'any'
