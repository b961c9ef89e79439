/** How much garbage may pile up while a text is read. */
import { setFlagsFromString } from 'node:v8'

/** Of what is in use. */
const garbagePercent = 10

/**
 * A reading keeps little and throws much away. By default V8 lets the young generation grow to a hundred megabytes and the
 * old one to four times of what is in use before it collects, so that a long text would seem to need more memory than a
 * short one: 100 MB took 107 MiB more than 1 MB, and with this 16. V8 looks at both flags at each collection, so that they can
 * be set after the start. For the whole process; call it before the text is read.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`)
}
