/**
 * Statements that tell, besides their own fact, another one about the same subject: `Catalogue entry: Dragon and Rocket
 * (Anna Mott, 1911)` names the author and answers a question for the year. As a decoy about the subject that is asked
 * for, such a statement would make the document contradict the reference.
 */

/** By the kind that is asked for: kinds whose every statement may be taken for an answer, since some questions are vague. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  // "Where is the Halden Trading Company located?", "When is the Gralow fair?"
  address: ['headquarters'],
  headquarters: ['address'],
  'event-date': ['start-time'],
  'start-time': ['event-date'],
}

/** By the kind that is asked for: templates of other kinds that tell it, as they stand in the tables. */
export const tellingTemplates: Readonly<Record<string, readonly string[]>> = {
  author: ['{person} completed {subject} in {value}.'],
  'work-year': ['In {year}, {value} finished {subject}.', 'Catalogue entry: {bare} ({value}, {year}).'],
  birthday: ['The life of {subject} began in {value} in {year}.'],
  birthplace: ['On {value} the family in {town} celebrated the arrival of a baby, {subject}.'],
  residence: [
    'A qualified {value}, {subject} came to {town} in {year}.',
    'Unlike the sister, {value}, who stayed on the farm, {subject} left for {town} in {year}.',
    'On {value} the family in {town} celebrated the arrival of a baby, {subject}.',
  ],
  university: [
    'Trained as a {value} in {town}, {subject} has never done any other work.',
    'For six years {subject} studied under {value} in {town}.',
    '{Subject} studied the {value} in {town}.',
  ],
  // The founders are told in `multi-hop/relations.ts`.
  'founding-year': [
    'In {year}, {value} founded {subject} in a rented garage.',
    '{Subject} was started by {value} in {year}.',
  ],
  employer: [
    'Although {subject} works in {firm} offices all over the country, home is a cottage in {value}.',
  ],
  headquarters: ['Under its chief executive, {value}, {subject} has opened offices in {town}.'],
  address: ['Under its chief executive, {value}, {subject} has opened offices in {town}.'],
}

/** Whether a sentence of this template tells the kind of fact that is asked for beside its own. */
export const tellsToo = (asked: string, template: string): boolean =>
  tellingTemplates[asked]?.includes(template) ?? false

/** Whether a statement about the same subject may be taken for an answer to a question for another kind of fact. */
export const mayAnswer = (
  asked: string,
  { kind, statementTemplate }: { readonly kind: string; readonly statementTemplate: string },
): boolean => (kinds[asked]?.includes(kind) ?? false) || tellsToo(asked, statementTemplate)
