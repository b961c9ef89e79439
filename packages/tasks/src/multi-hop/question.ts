/**
 * Composes a question that follows a chain: "Who is the mayor of the town where the founder of Kelvora Ltd was born?" It
 * contains only the innermost name.
 */

import { fillTemplate } from '../facts/fill.ts'
import type { Template } from '../facts/kind.ts'
import type { Split } from '../facts/pools.ts'
import type { Random } from '../random.ts'
import { type TemplateChoice, templatesOf } from '../templates.ts'
import type { StatedRelation } from './graph.ts'

export interface ComposedQuestion {
  readonly text: string
  /** Template of the outermost question. */
  readonly template: string
  /** Whether any part of it is held out of training. */
  readonly heldOut: boolean
}

export function composeQuestion(
  random: Random,
  chain: readonly StatedRelation[],
  options: { readonly split: Split; readonly templates: TemplateChoice },
): ComposedQuestion {
  let subject = chain[0]!.subject
  let heldOut = false
  let isEmbedded = false
  for (const { relation } of chain.slice(0, -1)) {
    const phrase = random.pick(readable(relation.phrases, options.templates, isEmbedded))
    subject = phrase.text.replace('{subject}', () => subject)
    heldOut ||= phrase.heldOut
    isEmbedded ||= embeds(phrase)
  }
  const questions = chain.at(-1)!.relation.kind.questions
  const suitable = chain.length === 1 ? questions : questions.filter(takesPhrase)
  const question = random.pick(readable(suitable, options.templates, isEmbedded))
  const { text } = fillTemplate(question.text, { random, split: options.split, subject })
  return { text, template: question.text, heldOut: heldOut || question.heldOut }
}

/** Whether a phrase can replace the subject; "the birthplace of X's mayor" would be someone else's. */
const takesPhrase = ({ text }: Template): boolean =>
  text.includes('{subject}') && !text.includes("{subject}'s")

/** Whether words follow the subject: "the town where {subject} was born". */
const embeds = ({ text }: Template): boolean => !/\{(subject|bare)\}[?.]?$/.test(text)

/** One nested clause is readable; two ("the firm that the mayor of the town where X lives works for") are not. */
function readable(
  templates: readonly Template[],
  choice: TemplateChoice,
  isEmbedded: boolean,
): readonly Template[] {
  const chosen = templatesOf(templates, choice)
  const flat = isEmbedded ? chosen.filter((template) => !embeds(template)) : chosen
  const mayWiden = choice === 'any' || choice === 'held-out'
  const fallback =
    isEmbedded && mayWiden ? templatesOf(templates, 'any').filter((template) => !embeds(template)) : []
  return flat.length > 0 ? flat : fallback.length > 0 ? fallback : chosen
}
