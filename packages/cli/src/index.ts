/** The command line as a function, for tests and embedding. */

export { configurationSchema } from './configuration/settings.ts'
export { main } from './main.ts'
export type { Terminal } from './terminal.ts'
