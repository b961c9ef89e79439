/**
 * Files from clients, in the server's own folder: `ID/content`, and `ID/file.json` once complete. Paths consist only of random
 * ids; file names are data.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { NamedFile } from '@memagent/documents'
import { StoreError } from '@memagent/store'
import { z } from 'zod'
import { RequestError } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'

const uploadSchema = z.object({
  id: z.string(),
  filename: z.string(),
  purpose: z.string(),
  bytes: z.int(),
  /** Milliseconds since 1970. */
  createdMs: z.number(),
  owner: z.string().optional(),
})

export type Upload = z.infer<typeof uploadSchema>

/** Purpose of a text given in the request for a run. */
export const pastedText = 'pasted-text'

/** Purpose of a file that its client will not manage, such as one uploaded on the page. */
const runFile = 'run-file'

/** Such files are not listed, and are removed with the last run that reads them. */
const belongsToRuns = ({ purpose }: Upload) => purpose === pastedText || purpose === runFile

const idPattern = /^file-[0-9a-f]{32}$/

/** An upload that has not grown for this long was abandoned by a server that was killed. */
const abandonedMs = 3_600_000

/** A run that reads a complete file may begin this much later. */
const unusedMs = 24 * abandonedMs

export interface NewUpload {
  readonly owner: Owner
  /** May settle only after the content has ended; a rejection removes the file. */
  readonly details: Promise<Pick<Upload, 'filename' | 'purpose'>>
  /** Throws if the file is incomplete. */
  readonly content: AsyncIterable<Uint8Array>
}

export class Uploads {
  readonly #folder: string
  readonly mostBytes: number
  readonly #now: () => number

  /** @param folder created on demand @param mostBytes of a file */
  constructor(folder: string, mostBytes: number, now: () => number = Date.now) {
    this.#folder = folder
    this.mostBytes = mostBytes
    this.#now = now
  }

  /** Writes the file piece by piece. @throws RequestError 413; StoreError; errors of the content. Nothing is left then */
  async add({ owner, details, content }: NewUpload): Promise<Upload> {
    details.catch(() => undefined)
    const id = `file-${randomBytes(16).toString('hex')}`
    const folder = join(this.#folder, id)
    await this.#kept(mkdir(folder, { mode: 0o700, recursive: true }))
    try {
      const bytes = await this.#write(join(folder, 'content'), content)
      const upload = { id, ...(await details), bytes, createdMs: this.#now(), ...(owner && { owner }) }
      const part = join(folder, 'file.part')
      await this.#kept(writeFile(part, JSON.stringify(upload), { flag: 'wx', mode: 0o600, flush: true }))
      await this.#kept(rename(part, join(folder, 'file.json')))
      return upload
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  async #write(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const file = await this.#kept(open(path, 'wx', 0o600))
    try {
      let bytes = 0
      for await (const piece of content) {
        bytes += piece.length
        if (bytes > this.mostBytes) throw fileTooLarge(this.mostBytes)
        await this.#kept(file.writeFile(piece))
      }
      await this.#kept(file.sync())
      return bytes
    } finally {
      await file.close()
    }
  }

  /** Tells a failure to write here from one of the content. @throws StoreError */
  #kept<Result>(writing: Promise<Result>): Promise<Result> {
    return writing.catch((cause: NodeJS.ErrnoException) => {
      const isFull = cause.code === 'ENOSPC' || cause.code === 'EDQUOT'
      throw new StoreError({
        code: isFull ? 'store/full' : 'store/unwritable',
        message: `Files cannot be kept in ${this.#folder}: ${cause.message}`,
        hint: isFull ? 'Free some space.' : 'Let the server write there.',
        cause,
      })
    })
  }

  /** @throws RequestError 404 if it does not exist, or belongs to somebody else */
  async find(owner: Owner, id: string): Promise<Upload> {
    const upload = await this.#load(id)
    if (!upload || !isOpenTo(owner, upload)) throw noFile(id)
    return upload
  }

  /** The newest first, without those that belong to runs. */
  async list(owner: Owner): Promise<readonly Upload[]> {
    const found: Upload[] = []
    for (const id of await this.#ids()) {
      const upload = await this.#load(id)
      if (upload && !belongsToRuns(upload) && isOpenTo(owner, upload)) found.push(upload)
    }
    return found.sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1))
  }

  async has(id: string): Promise<boolean> {
    return (await this.#load(id)) !== undefined
  }

  async remove(id: string): Promise<void> {
    if (idPattern.test(id)) await rm(join(this.#folder, id), { recursive: true, force: true })
  }

  /** Removes the file if it is a text given in the request for a run: that was refused. */
  async removePasted(id: string): Promise<void> {
    const upload = await this.#load(id)
    if (upload?.purpose === pastedText) await this.remove(id)
  }

  /** Removes the file if it belongs to runs: the last of them was removed. */
  async removeOfRuns(id: string): Promise<void> {
    const upload = await this.#load(id)
    if (upload && belongsToRuns(upload)) await this.remove(id)
  }

  /** For `openDocuments`. */
  fileOf({ id, filename }: Pick<Upload, 'id' | 'filename'>): NamedFile {
    return { path: this.#contentOf(id), name: filename }
  }

  /** The bytes as they were given. */
  contentOf({ id }: Upload): ReadableStream<Uint8Array> {
    return Readable.toWeb(createReadStream(this.#contentOf(id))) as ReadableStream<Uint8Array>
  }

  /**
   * Removes leftovers: incomplete files of killed servers, and files for runs that never began.
   * @param readFiles returns the ids of the files that runs read
   */
  async removeAbandoned(readFiles: () => Promise<ReadonlySet<string>>): Promise<void> {
    let read: ReadonlySet<string> | undefined
    for (const id of await this.#ids()) {
      const upload = await this.#load(id)
      if (upload ? !belongsToRuns(upload) : await this.#isDescribed(id)) continue
      const status = await stat(this.#contentOf(id)).catch(() =>
        stat(join(this.#folder, id)).catch(() => undefined),
      )
      if (!status || this.#now() - status.mtimeMs <= (upload ? unusedMs : abandonedMs)) continue
      if (upload) read ??= await readFiles()
      if (!upload || !read?.has(id)) await this.remove(id)
    }
  }

  async #ids(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names.filter((name) => idPattern.test(name))
  }

  /** Even if what describes it is damaged: its content may still be worth having. */
  #isDescribed(id: string): Promise<boolean> {
    return access(join(this.#folder, id, 'file.json')).then(
      () => true,
      () => false,
    )
  }

  async #load(id: string): Promise<Upload | undefined> {
    if (!idPattern.test(id)) return undefined
    const text = await readFile(join(this.#folder, id, 'file.json'), 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    try {
      return uploadSchema.safeParse(JSON.parse(text)).data
    } catch {
      // Damaged, as after a power failure: like one that never arrived.
      return undefined
    }
  }

  #contentOf(id: string): string {
    return join(this.#folder, id, 'content')
  }
}

const isOpenTo = (owner: Owner, upload: Upload): boolean => owner === undefined || upload.owner === owner

const noFile = (id: string) =>
  new RequestError({ status: 404, code: 'server/no-file', message: `There is no file ${id}.` })

const fileTooLarge = (mostBytes: number) =>
  new RequestError({
    status: 413,
    code: 'server/file-too-large',
    message: `A file may have ${mostBytes} bytes at most.`,
  })
