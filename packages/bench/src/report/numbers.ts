/** Numbers as reports show them. Unknown numbers become a dash. */

const isKnown = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value)

/** 0.9375 -> `93.8`; the column title says percent. */
export const percent = (share: number | undefined): string =>
  isKnown(share) ? (100 * share).toFixed(1) : '–'

/** 0.03 -> `+3.0`, -0.03 -> `−3.0` */
export function signedPercent(share: number | undefined): string {
  if (!isKnown(share)) return '–'
  const digits = Math.abs(100 * share).toFixed(1)
  return Number(digits) === 0 ? digits : `${share < 0 ? '−' : '+'}${digits}`
}

/** 131072 -> `131,072` */
export const count = (value: number | undefined): string =>
  isKnown(value) ? Math.round(value).toLocaleString('en-US') : '–'

/** Three significant digits, or all digits of the integer part: 0.0123, 4.56, 789, 12,345. */
export function amount(value: number | undefined): string {
  if (!isKnown(value)) return '–'
  if (value === 0) return '0'
  if (value >= 100) return count(value)
  return String(Number(value.toPrecision(3)))
}

/** With thousands separators and a fixed number of decimals, so that numbers align. */
export const fixed = (value: number | undefined, digits: number): string =>
  isKnown(value)
    ? value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–'

/** 8192 -> `8K`, 200000 -> `200K`, 3500000 -> `3.5M`: for plots; tables show all digits. */
export function lengthLabel(tokens: number): string {
  const kibi = tokens % 1024 === 0 && tokens % 1000 !== 0 ? tokens / 1024 : undefined
  if (kibi !== undefined) return kibi % 1024 === 0 ? `${kibi / 1024}M` : `${kibi}K`
  if (tokens >= 1e6) return `${Number((tokens / 1e6).toPrecision(3))}M`
  return tokens >= 1000 ? `${Number((tokens / 1000).toPrecision(3))}K` : String(tokens)
}

export const pValue = (value: number | undefined): string =>
  !isKnown(value) ? '–' : value < 0.001 ? 'p < 0.001' : `p ${value.toFixed(3)}`

/** Bounds of an interval. */
export const bounds = (low: number, high: number): string => `${percent(low)}–${percent(high)}`

export const signedBounds = (low: number, high: number): string =>
  isKnown(low) ? `${signedPercent(low)} to ${signedPercent(high)}` : '–'
