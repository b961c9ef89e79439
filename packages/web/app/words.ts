/** Words and numbers of the server's page. */

const units = ['bytes', 'kB', 'MB', 'GB']

/** `512 bytes`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits)} ${bytes === 1 ? 'byte' : units[unit]}`
}

export const states = {
  waiting: 'waiting',
  running: 'reading',
  unfinished: 'unfinished',
  finished: 'finished',
} as const
