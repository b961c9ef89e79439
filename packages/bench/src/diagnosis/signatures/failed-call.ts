import type { Signature } from '../signature.ts'

/** The method ended with an error: there is no answer to examine. */
export const failedCall: Signature = {
  name: 'failed-call',
  title: 'call failed',
  definition: 'The method ended with an error.',
  isIn: ({ record }) => record.error !== undefined,
}
