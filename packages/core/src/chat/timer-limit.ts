/** A timer set for longer than this ends after a millisecond. */
const longestTimerMs = 2 ** 31 - 1

/** As long as a timer can be: 24 days, where more or no end was asked for. */
export const timerMs = (ms: number): number => Math.min(ms, longestTimerMs)
