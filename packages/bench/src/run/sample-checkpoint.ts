/**
 * How far a sample's reading was, in a file beside the record, so that a sample which failed, or was under way when the run
 * ended, goes on there. It is written when that happens, and every few seconds for what is killed: a short sample that ends
 * well never touches the disk.
 */
import { createHash } from 'node:crypto'
import { mkdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Checkpoint, CheckpointError, type CheckpointStore, type LogEntry } from '@memagent/core'
import { createFileCheckpointStore } from '@memagent/core/node'
import { canonicalJson } from '../report/canonical-json.ts'

const writeIntervalMs = 5000

/** The checkpoints of a record. */
const checkpointFolder = (output: string): string => `${output}.checkpoints`

/** Removes the folder if nothing is left in it. Only when no sample is under way: each may be about to write its own. */
export const removeEmptyFolder = (output: string): Promise<void> =>
  // Mostly there is none, and what samples failed or were stopped with stays.
  rmdir(checkpointFolder(output)).catch(() => undefined)

export class SampleCheckpoint implements CheckpointStore {
  readonly #path: string
  readonly #now: () => number
  #file: CheckpointStore
  #writtenMs: number
  #unwritten: LogEntry[] = []
  #latest: Checkpoint | undefined
  #isOnDisk = false

  /**
   * @param identity what the sample and its result depend on, as JSON: another one has another file
   * @param now milliseconds. @default performance.now
   */
  constructor(output: string, identity: unknown, now: () => number = () => performance.now()) {
    const name = createHash('sha256').update(canonicalJson(identity)).digest('hex').slice(0, 32)
    this.#path = join(checkpointFolder(output), `${name}.json`)
    this.#file = createFileCheckpointStore(this.#path)
    this.#now = now
    this.#writtenMs = now()
  }

  async load(): Promise<Checkpoint | undefined> {
    // Also where it cannot be read.
    this.#isOnDisk = true
    const checkpoint = await this.#file.load()
    this.#isOnDisk = checkpoint !== undefined
    return checkpoint
  }

  async save(checkpoint: Checkpoint): Promise<void> {
    this.#latest = checkpoint
    if (this.#now() - this.#writtenMs >= writeIntervalMs) await this.write()
  }

  async append(entries: readonly LogEntry[]): Promise<void> {
    this.#unwritten.push(...entries)
  }

  async readLog(): Promise<LogEntry[]> {
    return [...(await this.#file.readLog()), ...this.#unwritten]
  }

  /** Brings the last checkpoint to the disk, if anything was read. @throws CheckpointError when it cannot be written */
  async write(): Promise<void> {
    const [checkpoint, entries] = [this.#latest, this.#unwritten]
    if (!this.#isOnDisk && !checkpoint?.steps) return
    this.#latest = undefined
    this.#unwritten = []
    await mkdir(dirname(this.#path), { recursive: true }).catch(this.#unwritable)
    if (entries.length > 0) await this.#file.append(entries)
    if (checkpoint) await this.#file.save(checkpoint)
    this.#isOnDisk = true
    this.#writtenMs = this.#now()
  }

  /** Forgets it all. @throws CheckpointError when it cannot be removed */
  async remove(): Promise<void> {
    this.#latest = undefined
    this.#unwritten = []
    if (!this.#isOnDisk) return
    this.#isOnDisk = false
    this.#file = createFileCheckpointStore(this.#path)
    for (const end of ['', '.next', '.log']) {
      await rm(`${this.#path}${end}`, { force: true }).catch(this.#unwritable)
    }
  }

  readonly #unwritable = (cause: Error): never => {
    const folder = dirname(this.#path)
    throw new CheckpointError({
      code: 'checkpoint/unwritable',
      message: `Cannot keep checkpoints in ${folder}: ${cause.message}`,
      hint: 'They stand beside the record: name an output in a folder that can be written to, and see that this one is no file.',
      details: { folder },
      cause,
    })
  }
}
