/** The files of the page, held in memory: requests can name only these, and nothing else on disk. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

export interface PageFile {
  readonly type: string
  /** ETag of its content. */
  readonly tag: string
  readonly content: Uint8Array<ArrayBuffer>
  /** Compressed content, made when the page was built. */
  readonly encodings: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>
}

/** The best first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** @returns files by path: `index.html`, `assets/index-C1x2.js`; empty if the page was not built */
export async function readPage(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    contents.set(relative(folder, path).split(sep).join('/'), new Uint8Array(await readFile(path)))
  }
  const files = new Map<string, PageFile>()
  for (const [path, content] of contents) {
    const type = types[extname(path)]
    if (type === undefined) continue
    const compressed = encodings.map(
      (encoding) => [encoding, contents.get(path + endings[encoding])] as const,
    )
    const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    files.set(path, {
      type,
      tag,
      content,
      encodings: Object.fromEntries(compressed.filter(([, one]) => one)),
    })
  }
  return files
}
