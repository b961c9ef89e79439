/** Counters, histograms and gauges in Prometheus' text format. */

type Labels = Readonly<Record<string, string>>

interface Series {
  text(): string
}

/** In seconds: from a short answer to a long reading. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

export class Metrics {
  readonly #series: Series[] = []

  /** @returns a function that adds to the counter @param name ends in `_total` */
  counter(name: string, help: string): (labels: Labels, by?: number) => void {
    const values = new Map<string, number>()
    this.#add(name, help, 'counter', () => [...values].map(([labels, value]) => `${name}${labels} ${value}`))
    return (labels, by = 1) => {
      const key = labelText(labels)
      values.set(key, (values.get(key) ?? 0) + by)
    }
  }

  /** @returns a function that records seconds @param name ends in `_seconds` */
  histogram(name: string, help: string): (labels: Labels, seconds: number) => void {
    const all = new Map<string, { labels: Labels; counts: number[]; sum: number }>()
    this.#add(name, help, 'histogram', () =>
      [...all.values()].flatMap(({ labels, counts, sum }) => {
        let total = 0
        const buckets = [...bounds.map(String), '+Inf'].map((le, i) => {
          total += counts[i] ?? 0
          return `${name}_bucket${labelText({ ...labels, le })} ${total}`
        })
        const own = labelText(labels)
        return [...buckets, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`]
      }),
    )
    return (labels, seconds) => {
      const key = labelText(labels)
      const one = all.get(key) ?? { labels, counts: [], sum: 0 }
      all.set(key, one)
      const found = bounds.findIndex((bound) => seconds <= bound)
      const i = found === -1 ? bounds.length : found
      one.counts[i] = (one.counts[i] ?? 0) + 1
      one.sum += seconds
    }
  }

  /** @param read called whenever the metrics are read */
  gauge(name: string, help: string, read: () => number, type: 'gauge' | 'counter' = 'gauge'): void {
    this.#add(name, help, type, () => [`${name} ${read()}`])
  }

  text(): string {
    return this.#series.map((series) => series.text()).join('')
  }

  #add(name: string, help: string, type: string, lines: () => readonly string[]): void {
    const head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
    this.#series.push({
      text: () =>
        `${head}${lines()
          .map((line) => `${line}\n`)
          .join('')}`,
    })
  }
}

function labelText(labels: Labels): string {
  const entries = Object.entries(labels)
  return entries.length === 0
    ? ''
    : `{${entries.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

const escaped = (value: string): string =>
  value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
