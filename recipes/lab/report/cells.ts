/** Numbers as the tables show them, and what is said where there are none. */
import type { Block, Estimate, PairedDifference, TableCell } from '@memagent/bench'

const unknown = '–'

/** 0.9375 -> `93.8`: columns say that it is percent. */
export const percent = (share: number): string =>
  Number.isFinite(share) ? (100 * share).toFixed(1) : unknown

export function signed(share: number): string {
  if (!Number.isFinite(share)) return unknown
  const digits = Math.abs(100 * share).toFixed(1)
  return Number(digits) === 0 ? digits : `${share < 0 ? '−' : '+'}${digits}`
}

/** Digits that count: 0.0123, 4.56, 789, 12,345. */
export const amount = (value: number): string => {
  if (!Number.isFinite(value)) return unknown
  return value >= 100 ? whole(value) : String(Number(value.toPrecision(3)))
}

export const whole = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : unknown

/** `93.8 (91.0–95.2)` */
export const shareCell = ({ value, low, high }: Estimate): TableCell =>
  Number.isFinite(value) ? { value: percent(value), notes: [`${percent(low)}–${percent(high)}`] } : unknown

/** `+3.0 (+1.2 to +4.8)` */
export const differenceCell = ({ value, low, high }: PairedDifference): TableCell =>
  Number.isFinite(value) ? { value: signed(value), notes: [`${signed(low)} to ${signed(high)}`] } : unknown

export const heading = (text: string): Block => ({ type: 'heading', level: 2, text })
export const paragraph = (text: string): Block => ({ type: 'paragraph', text })
export const notRecorded: Block = paragraph('Not recorded yet.')

/** Nothing when nothing is missing. */
export const stillMissing = (names: readonly string[]): Block[] =>
  names.length === 0 ? [] : [paragraph(`Not recorded yet: ${names.join(', ')}.`)]

export const number = (title: string) => ({ title, kind: 'number' as const })
