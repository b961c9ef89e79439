/**
 * Property tests try the same cases every time, so that a failure points to the change that caused it.
 * `PROPERTY_SEED=random npm run unit` looks for new cases; a number repeats those of a run.
 */
import fc from '../node_modules/fast-check/lib/fast-check.js'

const { PROPERTY_SEED: seed = '20260101' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

export * from '../node_modules/fast-check/lib/fast-check.js'
export { default } from '../node_modules/fast-check/lib/fast-check.js'
