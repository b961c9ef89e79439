/** `strict` and `lenient` first, then the others in order of appearance; each once. */
export function metricOrder(metrics: readonly string[]): string[] {
  const all = new Set(metrics)
  return [...['strict', 'lenient'].filter((metric) => all.has(metric)), ...all].filter(
    (metric, i, list) => list.indexOf(metric) === i,
  )
}
