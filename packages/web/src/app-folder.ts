/** Where the built page of the server is. */
import { fileURLToPath } from 'node:url'

/** `index.html`, `assets`, and compressed forms (`.br`, `.gz`) of every file. */
export const appFolder: string = fileURLToPath(new URL('../dist/app', import.meta.url))
