/** Selects templates: those of training, or those held out of it. */
import type { Template } from './facts/kind.ts'

/**
 * Which templates may be drawn: those of training; these and those for lessons alone; those held out of both; all but those for
 * lessons alone.
 */
export type TemplateChoice = 'train' | 'lessons' | 'held-out' | 'any'

/** Whether a template may be drawn. */
export const isOf =
  (choice: TemplateChoice) =>
  ({ heldOut, isForLessons }: Template): boolean =>
    choice === 'lessons'
      ? !heldOut
      : !isForLessons && (choice === 'any' || heldOut === (choice === 'held-out'))

/** The chosen ones; all but those for lessons if there are none. */
export function templatesOf<T extends Template>(
  templates: readonly T[],
  choice: TemplateChoice,
): readonly T[] {
  const chosen = templates.filter(isOf(choice))
  return chosen.length > 0 ? chosen : templates.filter(isOf('any'))
}

/** A held-out statement may be asked for with any question. */
export const questionsFor = (templates: TemplateChoice): TemplateChoice =>
  templates === 'held-out' ? 'any' : templates
