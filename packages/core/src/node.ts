/** What needs Node: files, standard input, checkpoints on disk. */
export { documentFromFiles, documentFromStandardInput } from './documents/file-document.ts'
export { createFileCheckpointStore } from './reading/checkpoint-file.ts'
