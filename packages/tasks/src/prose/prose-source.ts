/**
 * Prose as a haystack: paragraphs of real text in a fixed order, which can be read in a circle. The paragraphs are held in
 * memory (about the size of the prose); the documents made of them never are.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DocumentError } from '@memagent/core'
import { docCommentsOf, isReadableEnglish, splitParagraphs } from './paragraphs.ts'
import { type ListProseOptions, listProseFiles, type ProseFile } from './prose-files.ts'

export interface ProseSource {
  readonly name: string
  /** Bytes of all prose found, including files with the same content. */
  readonly bytes: number
  /** UTF-8 bytes of the paragraphs kept. */
  readonly uniqueBytes: number
  readonly files: readonly ProseFile[]
  /** In order, each with the white space after it. */
  readonly paragraphs: readonly string[]
  /** Index of each file's first paragraph. */
  readonly fileStarts: readonly number[]
  /** SHA-256 of the paragraphs. */
  readonly fingerprint: string
}

export interface ProseOptions extends ListProseOptions {
  readonly name?: string
  /** Stop after this many bytes of prose. @default 32 MiB */
  readonly maxBytes?: number
}

/**
 * The text, Markdown and documentation files in English below a folder; others, and translations by their names, are passed
 * over. Named by the folder's own name, as records must not depend on where the folder is.
 * @throws DocumentError when no prose is found
 */
export async function createFolderProse(folder: string, options: ProseOptions = {}): Promise<ProseSource> {
  const name = options.name ?? (basename(resolve(folder)) || folder)
  return loadProse(name, await listProseFiles(folder, options), { ...options, place: folder })
}

/**
 * The prose that comes with the installation: Markdown, licences, notices and documentation comments in `node_modules`.
 * Without options, it is loaded only once.
 * @param modules the `node_modules` folder. @default the one this package is installed in
 */
export function installedProse(
  options: ProseOptions & { readonly modules?: string } = {},
): Promise<ProseSource> {
  if (Object.keys(options).length > 0) return findInstalledProse(options)
  installed ??= findInstalledProse({}).catch((error: unknown) => {
    installed = undefined
    throw error
  })
  return installed
}

let installed: Promise<ProseSource> | undefined

async function findInstalledProse(
  options: ProseOptions & { readonly modules?: string },
): Promise<ProseSource> {
  const modules = options.modules ?? findInstalledModules()
  const files = await listProseFiles(modules, { docComments: true, ...options })
  return loadProse(options.name ?? 'installed prose', files, options)
}

/** Prose from a given text. */
export function createTextProse(name: string, text: string): ProseSource {
  return buildSource(name, [{ file: undefined, text }], Buffer.byteLength(text))
}

const wordLists = new WeakMap<ProseSource, readonly string[]>()

/** The distinct words of the prose, in order of first appearance; computed once. */
export function wordsOf(source: ProseSource): readonly string[] {
  const known = wordLists.get(source)
  if (known) return known
  const words = new Set<string>()
  for (const paragraph of source.paragraphs) {
    for (const [word] of paragraph.matchAll(/\p{L}{2,14}/gu)) words.add(word)
  }
  const list = [...words]
  wordLists.set(source, list)
  return list
}

/** The nearest `node_modules` above this file that contains memagent. @throws DocumentError when there is none */
export function findInstalledModules(start = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules')
    if (existsSync(join(modules, '@memagent'))) {
      return modules
    }
    if (dirname(folder) === folder) {
      throw new DocumentError({
        code: 'document/no-installed-prose',
        message: `no node_modules with memagent above ${start}`,
        hint: 'Install the packages first (npm ci), or give a folder of text.',
      })
    }
  }
}

async function loadProse(
  name: string,
  files: readonly ProseFile[],
  options: ProseOptions & { readonly place?: string },
): Promise<ProseSource> {
  const seen = new Set<string>()
  const texts: { file: ProseFile; text: string }[] = []
  let bytes = 0
  let kept = 0
  for (const file of files) {
    if (kept >= (options.maxBytes ?? 32 * 2 ** 20)) {
      break
    }
    const raw = await readFile(file.path, 'utf8')
    const text = file.content === 'doc-comments' ? docCommentsOf(raw) : raw
    if (text === '' || !isReadableEnglish(text)) {
      continue
    }
    bytes += Buffer.byteLength(text)
    const digest = createHash('sha256').update(text.replace(/\s+/g, ' ')).digest('base64')
    if (!seen.has(digest)) {
      seen.add(digest)
      texts.push({ file, text })
      kept += Buffer.byteLength(text)
    }
  }
  return buildSource(name, texts, bytes, options.place)
}

function buildSource(
  name: string,
  texts: readonly { readonly file: ProseFile | undefined; readonly text: string }[],
  bytes: number,
  place = name,
): ProseSource {
  const paragraphs: string[] = []
  const fileStarts: number[] = []
  const files: ProseFile[] = []
  const hash = createHash('sha256')
  // Many files declare and document the same interfaces.
  const described = new Set<string>()
  const isNew = (paragraph: string): boolean => described.size < described.add(paragraph.trim()).size
  let uniqueBytes = 0
  for (const { file, text } of texts) {
    const own = splitParagraphs(text).filter(
      (paragraph) => file?.content !== 'doc-comments' || isNew(paragraph),
    )
    if (own.length === 0) {
      continue
    }
    // A file ends with a blank line, so its last sentence does not run into the next file.
    own.push(`${own.pop()!.trimEnd()}\n\n`)
    fileStarts.push(paragraphs.length)
    if (file !== undefined) {
      files.push(file)
    }
    for (const paragraph of own) {
      paragraphs.push(paragraph)
      hash.update(paragraph)
      uniqueBytes += Buffer.byteLength(paragraph)
    }
  }
  if (paragraphs.length === 0) {
    throw new DocumentError({
      code: 'document/no-prose',
      message: `no English prose found in ${place}`,
      hint: 'Use a folder with .txt or .md files in English: others are passed over.',
    })
  }
  return { name, bytes, uniqueBytes, files, paragraphs, fileStarts, fingerprint: hash.digest('hex') }
}
