/** The files of a reading in preparation: uploaded one after the other, then inspected. */
import { counted } from '../../page/words.ts'
import { ask, askJson } from '../api/client.ts'
import type { FileText } from '../api/types.ts'
import { upload } from '../api/upload.ts'

/** Bytes of the text that are shown at once. */
const shownBytes = 4000

export class Upload {
  readonly file: File
  state = $state<'waiting' | 'sending' | 'looking' | 'ready' | 'failed'>('waiting')
  /** Sent so far, from 0 to 1. */
  share = $state(0)
  id = $state<string | undefined>(undefined)
  text = $state.raw<FileText | undefined>(undefined)
  failure = $state.raw<unknown>(undefined)
  readonly stopping = new AbortController()

  constructor(file: File) {
    this.file = file
  }

  async send(): Promise<void> {
    const { signal } = this.stopping
    if (signal.aborted) return
    try {
      this.state = 'sending'
      const sent = await upload(this.file, (share) => (this.share = share), signal)
      this.id = sent.id
      this.state = 'looking'
      this.text = await askJson<FileText>(this.textPath(0), { signal })
      this.state = 'ready'
    } catch (error) {
      if (signal.aborted) return
      this.failure = error
      this.state = 'failed'
    }
  }

  /** Loads more of the text. @throws ApiFailure */
  async more(): Promise<void> {
    const before = this.text
    if (before?.nextByte === undefined) return
    const { nextByte: _, ...rest } = before
    const next = await askJson<FileText>(this.textPath(before.nextByte))
    this.text = { ...rest, ...next, text: before.text + next.text }
  }

  textPath = (startByte: number): string =>
    `api/files/${encodeURIComponent(this.id!)}/text?startByte=${startByte}&most=${shownBytes}`
}

export class Uploads {
  list = $state.raw<readonly Upload[]>([])
  #sending: Promise<void> = Promise.resolve()
  #areKept = false

  /** Ids of those that can be read. */
  get ready(): readonly string[] {
    return this.list.flatMap(({ state, id }) => (state === 'ready' ? [id!] : []))
  }

  get isSending(): boolean {
    return this.list.some(({ state }) => ['waiting', 'sending', 'looking'].includes(state))
  }

  /** What is missing before the files and this text can be read; undefined: nothing. */
  missing(text: string): string | undefined {
    if (this.isSending) return 'Some files are still uploading.'
    const failed = this.list.filter(({ state }) => state === 'failed').length
    // Left out silently, "not found" would seem to be said of them, too.
    if (failed > 0)
      return `${counted(failed, 'file')} cannot be used. Remove ${failed === 1 ? 'it' : 'them'} to read without.`
    return this.ready.length > 0 || text.trim() !== '' ? undefined : 'Choose a file, or paste a text.'
  }

  /** A reading uses them: they stay on the server until it is erased. */
  keep(): void {
    this.#areKept = true
  }

  /** Stops what is being sent, and removes from the server what no reading uses. */
  leave(): void {
    for (const one of this.list)
      if (this.#areKept) one.stopping.abort(new Error('left'))
      else this.remove(one)
  }

  add(files: Iterable<File>): void {
    const added = [...files].map((file) => new Upload(file))
    this.list = [...this.list, ...added]
    for (const one of added) this.#sending = this.#sending.then(() => one.send())
  }

  /** Also removes it from the server. */
  remove(one: Upload): void {
    this.list = this.list.filter((other) => other !== one)
    one.stopping.abort(new Error('removed'))
    // Not awaited: if it fails, the file stays in the server's list of files.
    if (one.id !== undefined)
      void ask(`v1/files/${encodeURIComponent(one.id)}`, { method: 'DELETE' }).catch(() => undefined)
  }
}
