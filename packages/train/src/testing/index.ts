/** The contract of a policy, and a reader small enough to train in a test. Needs no test runner. */
export { type PolicyContractOptions, policyContract } from './policy-contract.ts'
export { type TinyReaderOptions, writeTinyReader } from './tiny-reader.ts'
