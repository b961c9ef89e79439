/** What the tasks that plant statements in prose have in common: options, the fact asked for, whose turn which templates are. */
import { TaskError } from '@memagent/core'
import { z } from 'zod'
import { createFact, type Fact, type Question, type TemplateChoice } from './facts/facts.ts'
import type { Template } from './facts/kind.ts'
import { factKinds, kindNamed } from './facts/kinds.ts'
import type { Split } from './facts/pools.ts'
import { createRandom, type Random } from './random.ts'
import { namesOf, prose } from './settings/task-options.ts'
import type { SampleRequest } from './task.ts'

/** Pool of names and values. */
export const split = z.enum(['train', 'eval']).default('eval')

/** Options that all of these tasks have. */
export const proseTaskOptions = {
  prose,
  /** Pool of names and values. @default 'eval' */
  split,
  /**
   * Templates of statement and question: those of training, or held out of it. `mixed` takes turns, by index + seed.
   * Held-out statements are asked for with any question of their kind. @default 'mixed'
   */
  templates: z.enum(['train', 'held-out', 'mixed']).default('mixed'),
}

const commonOptions = z.strictObject(proseTaskOptions)
export type ProseTaskOptions = z.input<typeof commonOptions>

/** Kinds of facts by name. */
export const kindNames = namesOf(() => factKinds().map(({ name }) => name))

export const isHeldOutTurn = (templates: 'train' | 'held-out' | 'mixed', position: number): boolean =>
  templates === 'held-out' || (templates === 'mixed' && position % 2 !== 0)

/** What a sample is drawn from. */
export interface SampleDraws {
  /** For the question and all that is told: the same at every length. */
  readonly asked: Random
  /** For where it stands, and in which prose: another at every length. */
  readonly placed: Random
  /** Whose turn it is: templates held out of training, or those of training. */
  readonly isHeldOut: boolean
}

export function sampleDraws(
  task: string,
  { index, seed, lengthTokens }: SampleRequest,
  { templates }: Pick<z.output<typeof commonOptions>, 'templates'>,
): SampleDraws {
  const asked = createRandom(task, seed, index)
  return {
    asked,
    placed: asked.fork('placed', lengthTokens),
    isHeldOut: isHeldOutTurn(templates, index + seed),
  }
}

/**
 * Whether this is one of the documents without the answer: every fifth, for a share of 0.2. Of periods with an even length
 * every second one has it one place earlier: held-out templates come every second time, and would get all of them.
 */
export function isAbsent(position: number, share: number): boolean {
  const period = Math.round(1 / share)
  if (period % 2 === 0 && Math.abs(period * share - 1) < 1e-9) {
    const isSecond = Math.floor(position / period) % 2
    return position % period === period - 1 - isSecond
  }
  return Math.floor((position + 1) * share + 1e-9) > Math.floor(position * share + 1e-9)
}

/** Names of every kind of fact but RULER's needles. */
export const ordinaryKinds = () =>
  factKinds()
    .filter((kind) => !kind.name.startsWith('ruler-'))
    .map((kind) => kind.name)

/** Those of the choice; all of them where there are none. */
export function templatesOf<T extends Template>(
  templates: readonly T[],
  choice: TemplateChoice,
): readonly T[] {
  const chosen = templates.filter(({ heldOut }) => choice === 'any' || heldOut === (choice === 'held-out'))
  return chosen.length > 0 ? chosen : templates
}

/** Rows of a table: a template that starts with `~` is held out of training. */
export const parseTemplates = (rows: readonly string[]): readonly Template[] =>
  rows.map((row) => ({ text: row.replace(/^~\s*/, ''), heldOut: row.startsWith('~') }))

/**
 * A fact whose statement is held out of training, or is not, and a question for it.
 * @throws TaskError when none of the kinds has such statements
 */
export function drawAskedFact(
  random: Random,
  { kinds, split }: { readonly kinds: readonly string[]; readonly split: Split },
  isHeldOut: boolean,
) {
  const fact = createFact(random, {
    split,
    templates: isHeldOut ? 'held-out' : 'train',
    kind: random.pick(kindsWith(kinds, isHeldOut)),
  })
  const question = fact.question(random.fork('question'), { templates: isHeldOut ? 'any' : 'train' })
  return { fact, question }
}

/** Which fact and question a sample is about, for its labels. */
export const factLabels = (fact: Fact, question: Question) => ({
  kind: fact.kind,
  template: fact.statementTemplate,
  questionTemplate: question.template,
  heldOutTemplate: fact.statementHeldOut,
  heldOutQuestion: question.heldOut,
  heldOutKind: fact.kindHeldOut,
})

/** Those of the kinds that have statements held out of training, or not held out. @throws TaskError when there are none */
function kindsWith(kinds: readonly string[], isHeldOut: boolean): readonly string[] {
  const suitable = kinds.filter((name) =>
    kindNamed(name).statements.some((template) => template.heldOut === isHeldOut),
  )
  if (suitable.length === 0) {
    throw new TaskError({
      code: 'task/no-template',
      message: `none of the kinds ${kinds.join(', ')} has ${isHeldOut ? 'held-out' : 'train'} templates`,
    })
  }
  return suitable
}
