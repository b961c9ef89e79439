/** Prints how a reading ended: the answer or the notes, where they come from, and the warnings that affect them. */
import { answerText, type VerifiedStatement, type WindowBudget } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import { exitCodes } from '../failures.ts'
import { type OutputFlags, printable, printableLines, printJson, type Terminal } from '../terminal.ts'
import { cacheText } from './cache-option.ts'
import { printRemarks } from './open-text.ts'
import type { EndEvent } from './run-reading.ts'
import { exitCodeAfter, sourcesFields, tellSources, unsupportedLines } from './sources-option.ts'

export interface Result {
  readonly end: EndEvent
  readonly reading: {
    readonly model: string
    readonly workflow: string
    /** Undefined for a stored result. */
    readonly profile?: { readonly name: string; readonly prompts: string; readonly budget: WindowBudget }
  }
  /** Undefined for a stored result. */
  readonly remarks?: readonly SourceRemark[]
  /** What `--verify` found. */
  readonly rechecked: readonly VerifiedStatement[] | undefined
}

export function printResult(result: Result, flags: OutputFlags, { stdout, stderr }: Terminal): void {
  const { end, remarks = [], rechecked } = result
  if (flags.json) printJson(stdout, resultFields(result))
  else if (flags.events) {
    // Everything else was printed as it happened.
    for (const line of unsupportedLines(rechecked ?? [])) stderr.write(`${line}\n`)
  } else {
    if (end.type === 'answer')
      stdout.write(`${printable(answerText(end.answer, end.unread !== undefined))}\n`)
    else if (end.memory !== '') stdout.write(`${printableLines(end.memory)}\n`)
    else stderr.write('Nothing was noted.\n')
    tellSources(end, rechecked, { stderr })
  }
  printRemarks(remarks, stderr)
  printWarnings(end, stderr)
  const cached = cacheText(end.usage)
  if (cached !== undefined) stderr.write(`note: ${cached}\n`)
}

/** For `--json`. */
function resultFields({ end, reading, remarks, rechecked }: Result) {
  const { warnings, memory, steps, usage, seconds, unread } = end
  return {
    ...(end.type === 'answer'
      ? { answer: end.answer.text, outcome: end.answer.outcome, warnings, memory }
      : { notes: memory, warnings }),
    steps,
    usage,
    seconds,
    unread,
    remarks,
    ...sourcesFields(end, rechecked),
    ...reading,
  }
}

/** Warnings that something was not read, or not looked for. */
const tellsOfGap: ReadonlySet<string> = new Set([
  ...['ended-early', 'passed-over', 'notes-of-another-question', 'reading-unfinished', 'sources-unknown'],
  'source-without-text',
])

export function printWarnings({ type, warnings }: EndEvent, stderr: Terminal['stderr']): void {
  for (const { code, touchesAnswer, message, count } of warnings) {
    const which = count === 1 ? '' : ` (the first of ${count} such warnings)`
    if (type === 'notes') stderr.write(`warning: ${printable(message)}${which}\n`)
    else if (touchesAnswer) stderr.write(`unsure: ${printable(message)}${which}\n`)
    else if (code === 'unsourced-answer') stderr.write(`warning: ${printable(message)}\n`)
    else if (tellsOfGap.has(code)) stderr.write(`note: ${printable(message)}\n`)
  }
}

const exitCodeOf = {
  found: exitCodes.ok,
  'not-found': exitCodes.notFound,
  unsure: exitCodes.unsure,
} as const

/** @param rechecked what `--verify` found */
export function exitCodeFor(end: EndEvent, rechecked?: readonly VerifiedStatement[]): number {
  if (end.type === 'answer') return exitCodeAfter(exitCodeOf[end.answer.outcome], rechecked)
  return end.memory === '' ? exitCodes.notFound : exitCodeAfter(exitCodes.ok, rechecked)
}
