/** Imports users' own modules: workflows, tasks, chat models. Exported by `@memagent/core/node`. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hashOf } from '../reading/text-hash.ts'
import { hashOfImports } from './module-imports.ts'

export interface LoadedModule {
  /** The absolute path. */
  readonly file: string
  readonly exports: Readonly<Record<string, unknown>>
  /** Hash of the file, and of those that it imports by relative paths. */
  readonly hash: string
}

/** Creates the caller's error. */
export type Broken = (reason: string, hint?: string, cause?: unknown) => Error

/** @throws what `broken` creates if the file does not exist, this Node cannot read it, or its import throws */
export async function loadModule(path: string, broken: Broken): Promise<LoadedModule> {
  const file = fileOf(path, broken)
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw broken('there is no such file')
  // Vite and others read TypeScript on any Node, so this matters only if the import fails.
  const isReadable = !/\.[cm]?ts$/.test(file) || Boolean(process.features.typescript)
  try {
    const exports = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
    const hash = hashOf(`${await readFile(file, 'utf8')}${(await hashOfImports(file)) ?? ''}`)
    return { file, exports, hash }
  } catch (cause) {
    if (!isReadable) {
      const hint = 'Use Node 22.18 or newer, or compile it to JavaScript (.mjs).'
      throw broken(`it is TypeScript, which Node ${process.version} does not read`, hint, cause)
    }
    const { message, code, stack } = errorFrom(cause)
    const missing = code === 'ERR_MODULE_NOT_FOUND' && /package '([^']+)'/.exec(message)?.[1]
    const line = lineIn(stack ?? '', file)
    const where = line === undefined ? '' : ` (line ${line})`
    const install = missing ? `Install it where the module is: npm install ${missing}` : undefined
    const isUnplaced = line === undefined && cause instanceof SyntaxError
    const hint = install ?? (isUnplaced ? `To see where: node --check ${path}` : undefined)
    throw broken(`it cannot be loaded: ${message}${where}`, hint, cause)
  }
}

/** Anything can be thrown, even undefined. */
const errorFrom = (cause: unknown): NodeJS.ErrnoException =>
  cause instanceof Error ? cause : { name: '', message: String(cause) }

function fileOf(path: string, broken: Broken): string {
  if (!path.startsWith('file:')) return resolve(path)
  try {
    return fileURLToPath(path)
  } catch (cause) {
    throw broken(`it is no address of a file: ${(cause as Error).message}`, undefined, cause)
  }
}

/** The line of the module that an error comes from, if the stack has it. */
function lineIn(stack: string, file: string): string | undefined {
  const at = [pathToFileURL(file).href, file].map((name) => stack.split(`${name}:`)[1])
  return /^\d+/.exec(at.find((rest) => rest !== undefined) ?? '')?.[0]
}
