/** Finds the files that paths stand for: everything in folders, matches of globs, and files as they are. */
import { type Dirent, readdir as readdirWith, type Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DocumentError } from '@memagent/core'
import { unreadable } from '@memagent/core/node'
import ignore, { type Ignore } from 'ignore'
import { glob, isDynamicPattern } from 'tinyglobby'
import { checkPathList } from './check-options.ts'

export interface FileFilter {
  /** Patterns as in `.gitignore`: in folders and globs, only files that match one. @default all */
  readonly include?: readonly string[] | undefined
  /** Patterns as in `.gitignore`: in folders and globs, no file that matches one. */
  readonly exclude?: readonly string[] | undefined
  /** Called for a folder or file inside that cannot be read. @default it is thrown */
  readonly onUnreadable?: ((error: DocumentError, path: string) => void) | undefined
}

/** A file whose name differs from its path: an upload. */
export interface NamedFile {
  readonly path: string
  /** For people, sources and the choice of a loader: `report.pdf`. */
  readonly name: string
}

export interface FoundFile {
  readonly path: string
  /** @default the path */
  readonly name?: string | undefined
  readonly sizeBytes: number
  /** Milliseconds since 1970. */
  readonly modifiedMs: number
  /** False for a pipe or device, which gives its bytes only once. */
  readonly isRegular: boolean
}

/**
 * Finds files, in the order given; those of a folder or a glob by name, with numbers by value. In folders, hidden files,
 * symbolic links and what `.gitignore` files name are skipped; a file named itself is always read.
 * @throws DocumentError for paths and globs without any file
 */
export async function findFiles(
  paths: readonly string[],
  filter: FileFilter = {},
  signal?: AbortSignal,
): Promise<FoundFile[]> {
  checkPathList(paths)
  const found: FoundFile[] = []
  for (const path of paths) {
    for (const file of await filesAt(path, filter, signal)) found.push(file)
  }
  return found
}

/** @throws DocumentError if it does not exist or is not a file */
export async function findNamed({ path, name }: NamedFile): Promise<FoundFile> {
  const status = await stat(path).catch((cause) => {
    throw unreadable(name, cause)
  })
  return { ...foundFile(path, status), name }
}

const foundFile = (path: string, status: Stats): FoundFile => ({
  path,
  sizeBytes: status.size,
  modifiedMs: status.mtimeMs,
  isRegular: status.isFile(),
})

async function filesAt(
  path: string,
  filter: FileFilter,
  signal: AbortSignal | undefined,
): Promise<FoundFile[]> {
  if (path === '') {
    const message = 'The name of a file is empty.'
    throw new DocumentError({ code: 'document/unnamed', message, hint: 'A variable may be unset.' })
  }
  const status = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' && isDynamicPattern(path)) return undefined
    throw unreadable(path, cause)
  })
  if (status && !status.isDirectory()) return [foundFile(path, status)]
  const accepts = acceptorOf(filter)
  const { onUnreadable } = filter
  const paths = status ? await filesIn(path, accepts, filter, signal) : await matching(path, accepts, filter)
  if (paths.length === 0) {
    throw new DocumentError({
      code: 'document/no-files',
      message: status ? `There is no file to read in the folder ${path}.` : `No file matches ${path}.`,
      hint: status
        ? 'Hidden files, symbolic links and what .gitignore, --include and --exclude leave out do not count.'
        : 'Check the pattern: ** stands for any number of folders.',
      details: { path },
    })
  }
  const files: FoundFile[] = []
  for (const one of paths) {
    // It may be gone by now, or its name may not be UTF-8, so that nothing can open it.
    const found = await stat(one).catch(passOver(one, onUnreadable))
    if (found) files.push(foundFile(one, found))
  }
  return files
}

/** Reports why something inside cannot be read, or throws it if nobody listens. */
const passOver =
  (path: string, onUnreadable: FileFilter['onUnreadable']) =>
  (cause: unknown): undefined => {
    const error = unreadable(path, cause)
    if (!onUnreadable) throw error
    onUnreadable(error, path)
  }

/** The files of a glob, below the folders that it names. */
async function matching(pattern: string, accepts: Acceptor, { onUnreadable }: FileFilter): Promise<string[]> {
  const names = pattern.split('/')
  const first = names.findIndex((name) => isDynamicPattern(name))
  const folder = names.slice(0, first).join('/')
  const cwd = folder === '' && first > 0 ? '/' : folder || '.'
  const unread = new Map<string, unknown>()
  const found = await glob(names.slice(first).join('/'), {
    cwd,
    followSymbolicLinks: false,
    fs: { readdir: telling((path, cause) => unread.set(relative(cwd, path), cause)) },
  })
  for (const [path, cause] of unread) {
    // If the folder that the pattern names does not exist, nothing matches.
    if (path !== '' && accepts(`${path}/`)) passOver(join(cwd, path), onUnreadable)(cause)
  }
  return inOrder(found.filter(accepts)).map((path) => (first === 0 ? path : `${folder}/${path}`))
}

/** `readdir` for a glob, which silently skips folders that it cannot read. */
const telling = (onError: (path: string, cause: unknown) => void) =>
  ((path: string, options: { withFileTypes: true }, done: (error: unknown, entries: Dirent[]) => void) =>
    readdirWith(path, options, (error, entries) => {
      if (error) onError(path, error)
      done(error, entries)
    })) as typeof readdirWith

/** The path of a folder ends with a slash: nothing below it counts unless it does. */
type Acceptor = (path: string) => boolean

function acceptorOf({ include, exclude = [] }: FileFilter): Acceptor {
  // Skips the matcher, which remembers every path it was asked about.
  if (!include && exclude.length === 0) return () => true
  const included = include && ignore().add(include)
  const excluded = ignore().add(exclude)
  return (path) => (path.endsWith('/') || (included?.ignores(path) ?? true)) && !excluded.ignores(path)
}

interface Rules {
  readonly folder: string
  readonly rules: Ignore
}

/** All files below a folder. */
async function filesIn(
  root: string,
  accepts: Acceptor,
  { onUnreadable }: FileFilter,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const found: string[] = []
  const walk = async (folder: string, outer: readonly Rules[]): Promise<void> => {
    signal?.throwIfAborted()
    const path = join(root, folder)
    const list = readdir(path, { withFileTypes: true })
    const entries = (await list.catch(passOver(path, folder === '' ? undefined : onUnreadable))) ?? []
    const rules = [...outer]
    if (entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) {
      const file = join(path, '.gitignore')
      const lines = (await readFile(file, 'utf8').catch(passOver(file, onUnreadable))) ?? ''
      // Git is case-sensitive by default.
      rules.push({ folder, rules: ignore({ ignorecase: false }).add(lines) })
    }
    for (const entry of entries.toSorted((a, b) => compareNames(a.name, b.name))) {
      if (entry.name.startsWith('.')) continue
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      const isFolder = entry.isDirectory()
      const shown = isFolder ? `${name}/` : name
      if (!(isFolder || entry.isFile()) || isIgnored(shown, rules) || !accepts(shown)) continue
      if (isFolder) await walk(name, rules)
      else found.push(`${root.replace(/\/+$/, '')}/${name}`)
    }
  }
  await walk('', [])
  return found
}

/** The rules of inner folders come last and take precedence. */
function isIgnored(name: string, rules: readonly Rules[]): boolean {
  let isLeftOut = false
  for (const { folder, rules: own } of rules) {
    const { ignored, unignored } = own.test(folder === '' ? name : name.slice(folder.length + 1))
    isLeftOut = ignored || (isLeftOut && !unignored)
  }
  return isLeftOut
}

const collator = new Intl.Collator('en', { numeric: true })

/** Chapter 2 before chapter 10; the same on every machine. */
const compareNames = (a: string, b: string) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

/** Folder by folder, like a walk. */
function inOrder(paths: readonly string[]): string[] {
  const compare = (a: readonly string[], b: readonly string[]) => {
    const at = a.findIndex((name, i) => name !== b[i])
    return at === -1 ? a.length - b.length : compareNames(a[at]!, b[at] ?? '')
  }
  return paths
    .map((path) => path.split('/'))
    .sort(compare)
    .map((names) => names.join('/'))
}
