/** Words and numbers of the page. */
import type { CallUsage, Verdict } from '@memagent/core'
import type { OpenPage } from '../src/packed-page.ts'

export const count = (number: number): string => number.toLocaleString('en')

/** `1 step`, `3 steps`. */
export const counted = (number: number, word: string): string =>
  `${count(number)} ${word}${number === 1 ? '' : 's'}`

export const timeText = (ms: number): string =>
  new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** `1 h 2 min`, `3 min 4 s`, `5 s`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`
}

export const outcomes = {
  found: 'found',
  'not-found': 'not found',
  unsure: 'unsure',
  notes: 'notes',
} as const

export const verdicts: Readonly<Record<Verdict, { readonly label: string; readonly meaning: string }>> = {
  found: {
    label: 'passage found',
    meaning: 'A passage says it, as far as words tell. That is no proof: read it.',
  },
  derived: {
    label: 'follows from passages',
    meaning: 'By counting, adding or comparing; none of them says it.',
  },
  'not-found': {
    label: 'no passage found',
    meaning: 'It may still be true, in words too different or by other reasoning.',
  },
}

/** What became of the run, for a reading that has not ended. */
export function unendedText({ run, timeline, madeMs }: OpenPage): string {
  const read = `${counted(timeline.length, 'step')} had been read`
  if (run.state === 'running') {
    return `The text was being read when this page was made (${timeText(madeMs)}): ${read}. The page does not go on by itself.`
  }
  const { message, hint } = run.failure ?? {}
  const why = [message, hint].map((one) => (one === undefined ? '' : ` ${one}`)).join('')
  return `The reading stopped before its end, so there is no ${run.question === undefined ? 'result' : 'answer'}: ${read}.${why}`
}

/** Tokens of calls, if the server of the model reported them all. */
export const tokensText = ({ promptTokens, completionTokens, unreportedCalls }: CallUsage): string =>
  unreportedCalls
    ? 'whose tokens the server of the model did not report'
    : `${counted(promptTokens, 'prompt token')}, ${counted(completionTokens, 'token')} generated`
