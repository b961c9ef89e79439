/** How much garbage may pile up, while a text is read or many clients are answered. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Of what is in use. */
const garbagePercent = { reading: 10, serving: 50 }

/**
 * A reading keeps little and throws much away. By default V8 lets the young generation grow to a hundred megabytes and the
 * old one to four times of what is in use before it collects, so that a long text would seem to need more memory than a
 * short one: 100 MB took 107 MiB more than 1 MB, and with this about none. It costs a quarter more of the time that reading
 * takes without a model. V8 looks at these flags at each collection, so that they can be set after the start; one is made
 * here, since the limits of the start hold until then. For the whole process; call it before the text is read.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString(`--heap-growing-percent=${garbagePercent.reading}`)
  // Otherwise at least 16 MB may be added, whatever the percentage.
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--expose-gc')
  // Functions of flags set after the start are there in new contexts alone.
  const collect = runInNewContext('gc') as () => void
  collect()
}

/**
 * For a server, whose requests leave more garbage than a reading: with 200 clients its memory stays at 350 MiB; by default it
 * goes up to 540, or to 730, and 7 % more requests are answered (`npm run bench:server`).
 */
export function keepHeapSteady(): void {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent.serving}`)
}
