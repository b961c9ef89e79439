/** Finds the files in a folder that record a benchmark or a training. */
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { recordedKind } from '@memagent/bench'
import type { ReportSummary } from '@memagent/web'

export interface FoundReport extends ReportSummary {
  readonly path: string
}

/** Deeper folders and further files are ignored. */
const [mostDepth, mostFiles] = [4, 500]

/** Links are not followed, and hidden folders not entered. @returns by name; what cannot be read is left out */
export async function findReports(folder: string): Promise<readonly FoundReport[]> {
  const names: string[] = []
  await collect(folder, [], names)
  const found: FoundReport[] = []
  for (const name of names.sort().slice(0, mostFiles)) {
    const path = join(folder, name)
    const kind = await recordedKind(path).catch(() => undefined)
    const file = kind && (await stat(path).catch(() => undefined))
    if (kind && file)
      found.push({
        ...{ id: idOf(name), name, kind, path },
        bytes: file.size,
        modifiedMs: Math.round(file.mtimeMs),
      })
  }
  return found
}

async function collect(folder: string, parts: readonly string[], names: string[]): Promise<void> {
  const entries = await readdir(join(folder, ...parts), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const inside = [...parts, entry.name]
    if (entry.isFile() && entry.name.endsWith('.jsonl')) names.push(inside.join('/'))
    const isLeftOut = entry.name.startsWith('.') || entry.name === 'node_modules'
    if (entry.isDirectory() && !isLeftOut && inside.length < mostDepth) await collect(folder, inside, names)
  }
}

const idOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16)
