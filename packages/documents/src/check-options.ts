/** Checks what a program gives, which may come from JavaScript: an error names the wrong option. */
import { badOption } from './bad-option.ts'

const isText = (value: unknown) => typeof value === 'string'

/** @throws ConfigurationError unless it is a list of paths, or of files that have names of their own */
export function checkPathList(paths: unknown): void {
  const isPath = (path: unknown) => {
    const { path: inner, name } = Object(path) as { readonly path?: unknown; readonly name?: unknown }
    return isText(path) || (isText(inner) && isText(name))
  }
  if (Array.isArray(paths) && paths.every(isPath)) return
  throw badOption(
    Array.isArray(paths)
      ? `paths[${paths.findIndex((path) => !isPath(path))}] is no path`
      : 'paths is no list of paths',
    "Write a list, such as ['a.txt', { path, name }]; an upload has a name of its own. openBytes reads what is in memory.",
  )
}

interface Given {
  readonly signal?: Partial<AbortSignal> | undefined
  readonly onRemark?: unknown
  readonly include?: unknown
  readonly exclude?: unknown
  readonly standardInput?: unknown
}

/** Loaders and limits are checked where they are used. @throws ConfigurationError */
export function checkOpenOptions(options: Given): void {
  const { signal, onRemark, include, exclude, standardInput } = options
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw badOption('signal is no AbortSignal', 'The `signal` of an AbortController is one.')
  if (onRemark !== undefined && typeof onRemark !== 'function') throw badOption('onRemark is no function')
  for (const [name, patterns] of Object.entries({ include, exclude })) {
    if (patterns !== undefined && !(Array.isArray(patterns) && patterns.every(isText)))
      throw badOption(`${name} is no list of patterns`, `Write ${name}: ['*.md'].`)
  }
  if (standardInput !== undefined && !(Symbol.asyncIterator in Object(standardInput)))
    throw badOption('standardInput is no stream', '`process.stdin` is one.')
}

/** @throws ConfigurationError */
export function checkBytes(bytes: unknown, name: unknown): void {
  if (!(bytes instanceof Uint8Array)) {
    throw badOption(
      'bytes is no Uint8Array',
      'new Uint8Array(buffer) makes one of an ArrayBuffer; createTextDocument of @memagent/core makes a document of a text.',
    )
  }
  if (!isText(name)) throw badOption('name is no text', 'It is shown to people: `notes.txt`.')
}
