import type { Signature } from '../signature.ts'

/** None of the above: the record does not contain enough to tell. */
export const unexplained: Signature = {
  name: 'unexplained',
  title: 'not explained',
  definition: 'None of the signatures above; the record does not hold enough to tell.',
  isIn: () => true,
}
