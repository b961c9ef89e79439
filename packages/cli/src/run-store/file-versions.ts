/** The files that a run reads, as they were when it began, and what has changed since. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { count } from '../view/progress.ts'

export interface FileVersion {
  /** Absolute. */
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

export interface FileVersions {
  readonly versions: readonly FileVersion[]
  /** False: the files found in folders and by globs are missing. */
  readonly areAll: boolean
}

export interface ReadFiles {
  readonly files: readonly string[]
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/** Beyond this many files, only those named directly are recorded. */
const mostVersions = 10_000
/** Changes that are named one by one. */
const mostNamed = 5

export async function fileVersions({ files, ...filter }: ReadFiles): Promise<FileVersions> {
  const { findFiles } = await import('@memagent/documents')
  const found = new Map<string, FileVersion>()
  for (const file of files) {
    if (file === '-') continue
    for (const { isRegular, ...one } of await findFiles([file], filter).catch(() => [])) {
      const path = resolve(one.path)
      if (isRegular) found.set(path, { path, sizeBytes: one.sizeBytes, modifiedMs: one.modifiedMs })
    }
  }
  if (found.size <= mostVersions) return { versions: [...found.values()], areAll: true }
  const named = await Promise.all(files.map((file) => versionOf(resolve(file))))
  return { versions: named.filter((version) => version !== undefined), areAll: false }
}

async function versionOf(path: string): Promise<FileVersion | undefined> {
  const status = await stat(path).catch(() => undefined)
  return status?.isFile() ? { path, sizeBytes: status.size, modifiedMs: status.mtimeMs } : undefined
}

/** Describes what has changed. @param before the files when the run began @param read the same files, to be found again */
export async function fileChanges(before: FileVersions, read: ReadFiles): Promise<readonly string[]> {
  const present = await fileVersions(read)
  const isComparable = before.areAll && present.areAll
  const now = new Map(present.versions.map((version) => [version.path, version]))
  const known = new Set(before.versions.map(({ path }) => path))
  const changes: string[] = []
  for (const version of before.versions) {
    const found = isComparable ? now.get(version.path) : await versionOf(version.path)
    const change = changeOf(version, found)
    if (change !== undefined) changes.push(change)
  }
  if (isComparable) {
    for (const path of now.keys()) if (!known.has(path)) changes.push(`${path} is new`)
  }
  const rest = changes.length - mostNamed
  return rest > 0 ? [...changes.slice(0, mostNamed), `${count(rest)} more`] : changes
}

function changeOf(before: FileVersion, now: FileVersion | undefined): string | undefined {
  if (!now) return `${before.path} is gone`
  if (now.sizeBytes !== before.sizeBytes) {
    return `${before.path} has changed (${count(before.sizeBytes)} bytes then, ${count(now.sizeBytes)} now)`
  }
  return now.modifiedMs === before.modifiedMs ? undefined : `${before.path} was written since`
}
