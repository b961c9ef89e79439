/** Durations as people read and write them. */

/** `0.5 s`, `12 s`, `3 min`, `1 h 5 min` */
export function showDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`
  if (ms < 119_500) return `${Math.round(ms / 1000)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** Rounded up to whole minutes, for a command line: `66m`. */
export const toFlag = (ms: number): string => `${Math.max(1, Math.ceil(ms / 60_000))}m`
