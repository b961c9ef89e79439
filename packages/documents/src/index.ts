/** The public surface of @memagent/documents: explicit named exports only. */
export { type FileFilter, type FoundFile, findFiles, type NamedFile } from './find-files.ts'
export { defaultLimits, type Limits } from './limits.ts'
export { loadLoaders } from './load-loaders.ts'
export type { ByteSource, Entry, LoadContext, LoadedText, Loader, SourceRemark, TextStart } from './loader.ts'
export { openBytes } from './open-bytes.ts'
export { type OpenOptions, openDocuments } from './open-documents.ts'
export { identityOf, loaders } from './registry.ts'
export { decodedText } from './text/decoded-text.ts'
