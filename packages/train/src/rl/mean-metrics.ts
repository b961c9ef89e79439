import { mean } from './advantages.ts'

/**
 * Means of the task's metrics, each over the readings that have it: the parts of a task may be scored by different ones.
 * @param metrics of each reading
 */
export function meanMetrics(metrics: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = [...new Set(metrics.flatMap((one) => Object.keys(one)))]
  return Object.fromEntries(names.map((name) => [name, mean(metrics.flatMap((one) => one[name] ?? []))]))
}
