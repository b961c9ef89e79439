/** Node fires a timer set for longer than this after one millisecond. */
const longestTimerMs = 2 ** 31 - 1

/** The delay, capped at the longest a timer can be: 24 days. */
export const timerMs = (ms: number): number => Math.min(ms, longestTimerMs)
