/** The public surface of @memagent/server: explicit named exports only. */
export { type AppOptions, createApp } from './app.ts'
export { RequestError } from './errors.ts'
export { defaultPort, type ListenOptions, listen, type RunningServer } from './listen.ts'
export type { RequestLine } from './operations/operations.ts'
export { type ClientKey, createKey, hashOfKey } from './safety/keys.ts'
export type { ServedModel } from './served-model.ts'
