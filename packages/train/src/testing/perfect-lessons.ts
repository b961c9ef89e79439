/** The conversations of a perfect reading, for tests over all packages. */
export { perfectReading } from '../sft/perfect-reader.ts'
export { responseWriters } from '../sft/response-writers.ts'
