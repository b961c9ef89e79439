/** Limits the garbage that piles up while a text is read or many clients are answered. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** In percent of the heap in use. */
const garbagePercent = { reading: 10, serving: 50 }

/**
 * A reading keeps little and throws much away. By default V8 lets the young generation grow to a hundred megabytes and the
 * old one to four times what is in use before it collects, so that a long text seems to need more memory than a short one:
 * 100 MB took 107 MiB more than 1 MB, and with these flags about none. They add a quarter to the time that reading takes
 * without a model. V8 looks at the flags at each collection, so they can be set after the start; one is made here, since the
 * initial limits hold until then. For the whole process; call it before the text is read.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString(`--heap-growing-percent=${garbagePercent.reading}`)
  // Otherwise the heap may grow by at least 16 MB, whatever the percentage.
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--expose-gc')
  // Functions of flags that are set after the start exist only in new contexts.
  const collect = runInNewContext('gc') as () => void
  collect()
}

/**
 * For a server, whose requests leave more garbage than a reading. With 200 clients its memory stays at 350 MiB; by default it
 * grows to 540 or 730 MiB, and 7 % more requests are answered (`npm run bench:server`).
 */
export function keepHeapSteady(): void {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent.serving}`)
}
