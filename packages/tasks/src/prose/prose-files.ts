/** Finds files with English prose in a folder, by name: text, Markdown, licences, notices, documentation. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DocumentError } from '@memagent/core'

export interface ProseFile {
  readonly path: string
  readonly sizeBytes: number
  /** `text`: used as is; `doc-comments`: only the documentation comments of a type declaration file. */
  readonly content: 'text' | 'doc-comments'
}

export interface ListProseOptions {
  /** Also list `.d.ts` files, for their documentation comments. @default false */
  readonly docComments?: boolean
}

/** Larger files are skipped. */
const mostFileBytes = 64 * 2 ** 20

const textName = /\.(md|markdown|mdx|txt|text|rst|adoc)$/i
const bareName =
  /^(licen[cs]e|notice|copying|readme|changelog|changes|history|authors|contributing|security|third.?party)/i
const codeName = /\.(js|mjs|cjs|ts|mts|cts|json|map|node|wasm|html|css|yml|yaml|py|c|h|cc|sh)$/i
/** `README.fr.md`, `README_zh-CN.md`, `readme-ja.md`; English ones stay. */
const translationName = /^[a-z]+[._-](?!en\b)([a-z]{2})([-_][a-z]{2,4})?\.(md|markdown|mdx|txt|rst)$/i
const declarationName = /\.d\.[mc]?ts$/

/**
 * Files below `root` in the order of their paths, by code units. Symbolic links are not followed; hidden folders, test
 * data and translations are skipped. @throws DocumentError when `root` cannot be read
 */
export async function listProseFiles(root: string, options: ListProseOptions = {}): Promise<ProseFile[]> {
  const found: ProseFile[] = []
  await walk(root, options, found)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function walk(folder: string, options: ListProseOptions, found: ProseFile[]): Promise<void> {
  let entries: Awaited<ReturnType<typeof readEntries>>
  try {
    entries = await readEntries(folder)
  } catch (cause) {
    throw new DocumentError({
      code: 'document/unreadable-folder',
      message: `cannot read the folder ${folder}`,
      hint: 'Give a folder that exists and may be read.',
      cause,
      details: { folder },
    })
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== '__fixtures__') {
        await walk(path, options, found)
      }
    } else if (entry.isFile()) {
      const content = contentOf(entry.name, options.docComments ?? false)
      const { size } = content === undefined ? { size: 0 } : await stat(path)
      if (content !== undefined && size > 0 && size <= mostFileBytes) {
        found.push({ path, sizeBytes: size, content })
      }
    }
  }
}

const readEntries = (folder: string) => readdir(folder, { withFileTypes: true })

function contentOf(name: string, docComments: boolean): ProseFile['content'] | undefined {
  if (translationName.test(name)) {
    return undefined
  }
  if (textName.test(name) || (bareName.test(name) && !codeName.test(name))) {
    return 'text'
  }
  return docComments && declarationName.test(name) ? 'doc-comments' : undefined
}
