/**
 * Over HTTP/1.1, browsers open six connections to a server, for all tabs together. A tab that follows a run holds one for as
 * long as it follows, so only a few may; the others look in now and then.
 */

const places = 3

/**
 * Does the work in one of the places, and gives the place up when the work ends.
 * @returns false if no place is free, without doing the work
 */
export async function inStreamPlace(work: () => Promise<void>): Promise<boolean> {
  // Only pages loaded over HTTPS or from this machine have locks; others work without.
  if (navigator.locks === undefined) {
    await work()
    return true
  }
  for (let place = 0; place < places; place++) {
    const had = await navigator.locks.request(
      `memagent-stream-${place}`,
      { ifAvailable: true },
      async (lock) => {
        if (lock) await work()
        return lock !== null
      },
    )
    if (had) return true
  }
  return false
}
