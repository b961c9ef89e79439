import { containsReference } from '@memagent/tasks'

/** The share of the references that one of the texts holds, from 0 to 1; 0 where there are none. */
export const foundReferences = (references: readonly string[], ...texts: readonly string[]): number =>
  references.length === 0
    ? 0
    : references.filter((reference) => texts.some((text) => containsReference(text, reference))).length /
      references.length
