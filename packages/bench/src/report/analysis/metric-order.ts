/** `strict` and `lenient` first, then others as they come; each once. */
export function metricOrder(metrics: readonly string[]): string[] {
  const all = new Set(metrics)
  return [...['strict', 'lenient'].filter((metric) => all.has(metric)), ...all].filter(
    (metric, i, list) => list.indexOf(metric) === i,
  )
}
