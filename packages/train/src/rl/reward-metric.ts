/** The metric of a task that is the reward, and what evaluations are compared by. */
import { ConfigurationError } from '@memagent/core'

/** @throws ConfigurationError naming the metrics there are */
export function rewardMetric(metrics: Readonly<Record<string, number>>, name: string): number {
  if (Object.hasOwn(metrics, name)) return metrics[name]!
  throw new ConfigurationError({
    code: 'train/unknown-metric',
    message: `reward.metric is "${name}", and the task's score has no metric of that name.`,
    hint: `It has: ${Object.keys(metrics).join(', ') || 'none'}.`,
    details: { name, known: Object.keys(metrics) },
  })
}
