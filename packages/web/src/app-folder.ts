/** Where the page of the server lies once it is built. */
import { fileURLToPath } from 'node:url'

/** `index.html`, `assets`, and beside every file its compressed forms (`.br`, `.gz`). */
export const appFolder: string = fileURLToPath(new URL('../dist/app', import.meta.url))
