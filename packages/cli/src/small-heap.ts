/** How much garbage may pile up while a text is read. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Of what is in use. */
const garbagePercent = 10

/**
 * A reading keeps little and throws much away. By default V8 lets the young generation grow to a hundred megabytes and the
 * old one to four times of what is in use before it collects, so that a long text would seem to need more memory than a
 * short one: 100 MB took 107 MiB more than 1 MB, and with this 16. V8 looks at both flags at each collection, so that they can
 * be set after the start; the first collection is made here, since the limit of the start holds until then: 5,000 small files took
 * 26 MiB more than one text, and with this 17. For the whole process; call it before the text is read.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`)
  setFlagsFromString('--expose-gc')
  // Functions of flags set after the start are there in new contexts alone.
  const collect = runInNewContext('gc') as () => void
  collect()
}
