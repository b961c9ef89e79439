import { createRequire } from 'node:module'

/** Of this package, which clients are told. */
export const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string }
