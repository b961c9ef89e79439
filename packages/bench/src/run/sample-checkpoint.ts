/**
 * The progress of a sample's reading, in a file beside the record, so that a sample that failed or was unfinished when the
 * run ended can be resumed. It is written at that moment, and every few seconds in case of a kill: a short sample that
 * succeeds never touches the disk.
 */
import { createHash } from 'node:crypto'
import { mkdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type Checkpoint,
  CheckpointError,
  type CheckpointStore,
  canonicalJson,
  type LogEntry,
} from '@memagent/core'
import { createFileCheckpointStore } from '@memagent/core/node'

const writeIntervalMs = 5000

/** The checkpoints of a record. */
const checkpointFolder = (output: string): string => `${output}.checkpoints`

/** Removes the folder if it is empty. Call it only when no sample is in progress: each may be about to write its own. */
export const removeEmptyFolder = (output: string): Promise<void> =>
  // Usually there is no folder; checkpoints of failed or stopped samples stay.
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
   * @param identity JSON of what the sample and its result depend on; another identity has another file
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
    // Until known otherwise, even if it cannot be read.
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

  /** Writes the last checkpoint to disk, unless nothing was read. @throws CheckpointError when it cannot be written */
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

  /** Deletes the checkpoint. @throws CheckpointError when it cannot be removed */
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
      hint: 'Checkpoints are stored beside the record: choose an output in a writable folder, and make sure that this path is not a file.',
      details: { folder },
      cause,
    })
  }
}
