/** Letters to insert, delete, replace or swap with a neighbour to turn one text into the other (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let previous: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, isSwap ? previous[j - 2]! + 1 : replaced))
    }
    previous = row
    row = next
  }
  return row[b.length]!
}

/** The known name that was most likely meant; undefined if none is near. Ignores case. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  const [best] = known
    .map((candidate) => {
      const other = candidate.toLowerCase()
      const isPart = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other))
      const distance = Math.min(editDistance(wanted, other), isPart ? 1.5 : Number.POSITIVE_INFINITY)
      return { candidate, distance, length: other.length }
    })
    .filter(({ distance, length }) => distance <= Math.max(1, 0.4 * Math.max(wanted.length, length)))
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}
