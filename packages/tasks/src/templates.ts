/** Selects templates: those of training, or those held out of it. */
import type { Template } from './facts/kind.ts'

/**
 * Which templates may be drawn: those of training; these and those for lessons only; those held out of both; all but those
 * for lessons only.
 */
export type TemplateChoice = 'train' | 'lessons' | 'held-out' | 'any'

/** Whether a template may be drawn. */
export const isOf =
  (choice: TemplateChoice) =>
  ({ heldOut, isForLessons }: Template): boolean =>
    choice === 'lessons'
      ? !heldOut
      : !isForLessons && (choice === 'any' || heldOut === (choice === 'held-out'))

/** The chosen templates or, if there are none, all but those for lessons. */
export function templatesOf<T extends Template>(
  templates: readonly T[],
  choice: TemplateChoice,
): readonly T[] {
  const chosen = templates.filter(isOf(choice))
  return chosen.length > 0 ? chosen : templates.filter(isOf('any'))
}

/** A held-out statement takes any question. */
export const questionsFor = (templates: TemplateChoice): TemplateChoice =>
  templates === 'held-out' ? 'any' : templates
