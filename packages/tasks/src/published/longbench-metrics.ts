/** LongBench's metrics of one answer and one reference, each 0..1 (THUDM/LongBench, `metrics.py`). */
import { rougeL } from '../verifiers/rouge-l.ts'
import { tokenF1 } from '../verifiers/token-f1.ts'

/** A deviation of `count` and `retrieval`: Python's `\d+`, as published, also matches digits of other scripts. */
export const asciiDigits =
  'Numbers are written in the digits 0 to 9; the published code also takes those of other scripts.'

type Metric = (answer: string, reference: string, classes: readonly string[]) => number

/** The share of the answer's numbers that are right. ASCII digits only: see `asciiDigits`. */
function shareOfNumbers(answer: string, right: string | undefined): number {
  const numbers = answer.match(/\d+/g) ?? []
  return numbers.length === 0 ? 0 : numbers.filter((number) => number === right).length / numbers.length
}

/** 1 over the number of classes that the answer names, if the right one is among them; otherwise 0. */
function classification(answer: string, reference: string, classes: readonly string[]): number {
  const named = classes.filter((name) => answer.includes(name))
  // Names contained in the right one do not count. Like the published code, this skips the name after a removed one.
  for (let i = 0; i < named.length; i += 1) {
    if (named[i] !== reference && reference.includes(named[i]!)) {
      named.splice(i, 1)
    }
  }
  return named.includes(reference) ? 1 / named.length : 0
}

const metrics = {
  f1: tokenF1,
  rouge_l: rougeL,
  classification,
  retrieval: (answer, reference) => shareOfNumbers(answer, /Paragraph (\d+)/.exec(reference)?.[1]),
  count: shareOfNumbers,
} satisfies Record<string, Metric>
export const longBenchMetrics: Readonly<Record<keyof typeof metrics, Metric>> = metrics
