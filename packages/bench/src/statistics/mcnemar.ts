/** McNemar's test (McNemar 1947) in its exact form, for two methods that are right or wrong on the same samples. */

/**
 * Two-sided p-value: the probability of a split of the discordant pairs at least this uneven, if each is equally likely to
 * fall on either side. 1 if no pair is discordant.
 * @param firstOnly pairs that only the first method got right
 * @param secondOnly pairs that only the second method got right
 */
export function exactMcNemar(firstOnly: number, secondOnly: number): number {
  const [smaller, discordant] = [Math.min(firstOnly, secondOnly), firstOnly + secondOnly]
  let [logChoose, tail] = [0, 0]
  for (let k = 0; k <= smaller; k += 1) {
    if (k > 0) logChoose += Math.log((discordant - k + 1) / k)
    tail += Math.exp(logChoose - discordant * Math.LN2)
  }
  return Math.min(1, 2 * tail)
}
