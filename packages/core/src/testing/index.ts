/** Fakes, servers and contract suites for extensions of memagent. Needs no test runner. */
export { type Breakage, breakages } from './breakages.ts'
export { type ChatContractOptions, chatContract } from './chat-contract.ts'
export { type ContractCase, registerCases, withSkips } from './contract-case.ts'
export { fieldPaths } from './field-paths.ts'
export { createPrefixCache } from './prefix-cache.ts'
export { assertSameStructure, hostileText } from './prompt-structure.ts'
export { type RehearsedCall, type Responder, respondByPrompt } from './rehearsal.ts'
export type { Fault } from './stub-faults.ts'
export {
  createStubServer,
  type StubCall,
  type StubMessage,
  type StubReply,
  type StubServer,
  type StubServerOptions,
} from './stub-server.ts'
export { type Hook, type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
export { tinyTokenizerJson } from './tiny-tokenizer.ts'
export { watchedDocument } from './watched-document.ts'
export { type WorkflowContractOptions, workflowContract } from './workflow-contract.ts'
