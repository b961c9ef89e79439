/** Which of the given texts are new to a session, and what became of those it has read. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DocumentError } from '@memagent/core'
import { fileBytes } from '@memagent/core/node'
import type { SourceRemark } from '@memagent/documents'
import { type NewDocument, type SessionDocument, type SessionNews, sessionNews } from '@memagent/store'
import type { TextFlags } from '../commands/open-text.ts'
import type { KeptInput } from '../run-store/kept-input.ts'
import { quoted } from '../run-store/open-store.ts'

export interface FoundTexts extends SessionNews {
  /** Read before, but gone now. */
  readonly gone: readonly string[]
}

export interface TextsGiven {
  readonly files: readonly string[]
  readonly flags: TextFlags
  /** The session's documents, in the order of reading. */
  readonly documents: readonly SessionDocument[]
  /** The kept standard input that `-` stands for, and its name. */
  readonly input?: (KeptInput & { readonly as: string }) | undefined
  /** Read changed texts again. */
  readonly readsChanged: boolean
  readonly remarks: SourceRemark[]
}

/** @throws DocumentError for a text that cannot be read */
export async function findDocuments(given: TextsGiven): Promise<FoundTexts> {
  const { documents, readsChanged } = given
  const paths = new Set<string>()
  const isGone = async (path: string) => (await sizeOf(path)) === 'gone'
  const news = await sessionNews(noting(textsGiven(given), paths), documents, { readsChanged, isGone })
  const changed = new Set(news.changed)
  const gone: string[] = []
  const renamed = new Set(news.moved.map(({ from }) => from))
  // For each path, the last document counts.
  for (const last of new Map(documents.map((one) => [one.path, one])).values()) {
    const { path } = last
    if (last.input !== undefined || renamed.has(path) || paths.has(path)) continue
    const now = await sizeOf(path)
    if (now === 'gone') gone.push(path)
    else if (now !== undefined && now !== last.sizeBytes) changed.add(path)
  }
  return { ...news, changed: [...changed], gone }
}

async function* noting(texts: AsyncIterable<NewDocument>, paths: Set<string>): AsyncGenerator<NewDocument> {
  for await (const text of texts) {
    paths.add(text.path)
    yield text
  }
}

async function* textsGiven({ files, flags, input, remarks }: TextsGiven): AsyncGenerator<NewDocument> {
  const { findFiles } = await import('@memagent/documents')
  const onUnreadable = ({ message }: DocumentError, source: string) =>
    remarks.push({ code: 'source-skipped', source, message })
  const filter = {
    include: flags.include,
    exclude: flags.exclude,
    ...(flags.skipUnreadable && { onUnreadable }),
  }
  for (const file of files) {
    if (file === '-' && input) {
      yield { path: input.as, sizeBytes: input.sizeBytes, sha256: input.name, input: input.name }
      continue
    }
    for (const { path, isRegular } of await findFiles([resolve(file)], filter)) {
      if (!isRegular) throw pipeGiven(path)
      try {
        yield await versionAt(path)
      } catch (error) {
        if (!flags.skipUnreadable || !DocumentError.isInstance(error)) throw error
        onUnreadable(error, path)
      }
    }
  }
}

/** The file as it is now. @throws DocumentError */
export async function versionAt(path: string): Promise<NewDocument> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const bytes of fileBytes(path)) {
    hash.update(bytes)
    sizeBytes += bytes.length
  }
  return { path, sizeBytes, sha256: hash.digest('hex') }
}

/** In bytes; undefined if it cannot be inspected, such as in a folder without access. */
async function sizeOf(path: string): Promise<number | 'gone' | undefined> {
  try {
    const status = await stat(path)
    return status.isFile() ? status.size : 'gone'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : undefined
  }
}

const pipeGiven = (path: string) =>
  new DocumentError({
    code: 'session/read-once',
    message: `${path} is a pipe or a device: its text could not be read again after a stop.`,
    hint: `Give it as standard input, which is kept: memagent session read NAME - < ${quoted(path)}`,
    details: { path },
  })
