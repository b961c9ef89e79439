/** Finds tasks that train on what is kept for evaluation: names and values by `split`, wordings by `templates`. */
import { tasks } from '@memagent/tasks'

/** What a task draws from; undefined if it has no such option. */
export interface Draws {
  /** For messages. */
  readonly name: string
  readonly split: unknown
  readonly templates: unknown
}

/** One entry, or one per part of a mixed task. @param name for messages @param options as `create` takes them */
export async function drawsOf(
  name: string,
  task: string,
  options: Readonly<Record<string, unknown>>,
): Promise<Draws[]> {
  if (task === 'mixed') {
    const { tasks: parts, shared } = options as unknown as MixedOptions
    const all = Object.entries(parts).map(([part, { task, options }]) =>
      drawsOf(`${name}.${part}`, task, { ...shared, ...options }),
    )
    return (await Promise.all(all)).flat()
  }
  const { options: schema } = await tasks[task as keyof typeof tasks].definition()
  const { split, templates } = schema.shape as Readonly<Record<string, OptionType | undefined>>
  return [
    {
      name,
      split: split?.safeParse(options.split).data,
      templates: templates?.safeParse(options.templates).data,
    },
  ]
}

interface MixedOptions {
  readonly tasks: Readonly<Record<string, { readonly task: string; readonly options?: object }>>
  readonly shared?: object
}

/** Fills in the default. */
interface OptionType {
  safeParse(value: unknown): { readonly data?: unknown }
}

/** @param where the options are set */
export function trainingNotices(draws: readonly Draws[], where: string): string[] {
  const evaluated = draws.filter(({ split }) => split === 'eval')
  const heldOut = draws.filter(({ templates }) => templates === 'mixed' || templates === 'held-out')
  return [
    ...(evaluated.length > 0
      ? [
          `Training draws names and values that are kept for evaluation: ${namesOf(evaluated)} with split: eval. Set split: train in ${where}.`,
        ]
      : []),
    ...(heldOut.length > 0
      ? [
          `Training draws wordings that are kept for evaluation: ${namesOf(heldOut)} with templates: ${heldOut[0]!.templates}. Set templates: lessons, or train, in ${where}.`,
        ]
      : []),
  ]
}

/** @param advice what to do about it */
export function evaluationNotices(
  training: readonly Draws[],
  evaluation: readonly Draws[],
  advice: string,
): string[] {
  const trained = new Set(training.map(({ split }) => split))
  const same = evaluation.filter(({ split }) => split !== undefined && trained.has(split))
  if (same.length === 0) return []
  return [
    `Evaluation draws the names and values that are trained on, so its scores measure memorization: ${namesOf(same)} with split: ${same[0]!.split}. ${advice}`,
  ]
}

const namesOf = (draws: readonly Draws[]) => draws.map(({ name }) => name).join(', ')
