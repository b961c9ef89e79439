/** What needs Node: files, standard input, checkpoints on disk, and a `fetch` that waits for slow servers. */
export { createPatientFetch } from './chat/patient-fetch.ts'
export {
  createFileDocument,
  createStandardInputDocument,
  type FileDocumentOptions,
} from './documents/file-document.ts'
export { type FileLock, lockFile } from './files/file-lock.ts'
export { type Broken, type LoadedModule, loadModule } from './files/load-module.ts'
export { isGone, type ProcessIdentity, thisProcess } from './files/process-identity.ts'
export { whyUnreadable } from './files/why-unreadable.ts'
export { createFileCheckpointStore } from './reading/checkpoint-file.ts'
export { loadWorkflow } from './workflows/load-workflow.ts'
