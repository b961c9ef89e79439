/**
 * Sessions of a server, each owned by the key that began it. Without keys, all sessions are visible, including those of
 * commands, which can be asked here but not read into.
 */
import { basename, isAbsolute } from 'node:path'
import type { FindOptions, SessionReading, SessionSummary } from '@memagent/store'
import type { Run, Session, SessionRead, WholeSession } from '@memagent/web'
import { removeTexts } from '../files/remove-texts.ts'
import type { Owner } from '../safety/keys.ts'
import { asksOfSession } from './asks-of-session.ts'
import type { Surroundings } from './prepare-run.ts'
import { damagedRun, inputKept, noSession, sessionRead } from './run-errors.ts'
import type { RunService } from './run-service.ts'
import { goesOn } from './run-settings.ts'
import { failureOf } from './run-view.ts'
import { requireSessionName, shownName, storedName } from './session-names.ts'
import {
  type NamedSession,
  newSessionAsk,
  newSessionReading,
  type SessionAskRequest,
  type SessionReadRequest,
} from './session-reading.ts'

/** Every method that takes a name, except `read`, throws RequestError 404 if this owner sees no such session. */
export class SessionService {
  readonly #surroundings: Surroundings
  readonly #runs: RunService

  constructor(surroundings: Surroundings, runs: RunService) {
    this.#surroundings = surroundings
    this.#runs = runs
  }

  /** Most recently read first. */
  async list(owner: Owner): Promise<{ sessions: Session[] }> {
    const all = await this.#sessions.list()
    const sessions = all.flatMap((session) => {
      const shown = shownName(owner, session.name)
      return shown === undefined ? [] : [sessionView(session, shown)]
    })
    return { sessions }
  }

  /** With its memory, readings and documents. */
  async find(owner: Owner, name: string): Promise<WholeSession> {
    const { session, stored, shown } = await this.#load(owner, name)
    const readings = await this.#sessions.readings(stored)
    const documents = await this.#sessions.documents(stored)
    return {
      ...sessionView(session, shown),
      memory: await this.#memory(readings),
      readings: readings.map((reading) => this.#runs.view(reading)),
      documents: documents.map(({ path, sizeBytes, reading, isRead, endByte }) => ({
        // The folder of a command's file is private.
        name: isAbsolute(path) ? basename(path) : path,
        ...{ sizeBytes, reading, isRead },
        isPart: endByte !== undefined,
      })),
    }
  }

  /** @throws RequestError 400; 404 for a file; 409 if a reading is unfinished, or for other settings; 429; DocumentError */
  async read(owner: Owner, given: string, request: SessionReadRequest): Promise<SessionRead> {
    const name = this.#nameOf(owner, given)
    const session = name && (await this.#sessions.find(name.stored))
    const named = session ? name : this.#nameOf(owner, requireSessionName(given))!
    const { told, run } = await newSessionReading(owner, named, session, request, this.#surroundings)
    return run ? { run: await this.#runs.add(owner, run), ...told } : told
  }

  /** @throws RequestError 409 if nothing was read; 429 */
  async ask(owner: Owner, given: string, request: SessionAskRequest): Promise<Run> {
    const { session, ...name } = await this.#load(owner, given)
    return this.#runs.add(owner, await newSessionAsk(owner, name, session, request, this.#surroundings))
  }

  /**
   * Removes it with its readings and the runs that asked it.
   * @throws RequestError 409 while it is read, or if only a command can erase all of it
   */
  async remove(owner: Owner, name: string): Promise<void> {
    const { session, stored, shown } = await this.#load(owner, name, { withDamaged: true })
    const documents = await this.#sessions.documents(stored)
    // The input lies where commands keep it.
    if (documents.some(({ input }) => input !== undefined)) throw inputKept(shown)
    const readings = await this.#sessions.readings(stored, { withDamaged: true })
    // Checked before anything is erased.
    if (readings.some((one) => one.id === session.unfinished && (one.state === 'running' || goesOn(one))))
      throw sessionRead(shown)
    for (const { id } of await asksOfSession(this.#surroundings.store, stored)) {
      await this.#runs.erase(owner, id)
    }
    await this.#sessions.remove(stored)
    await removeTexts(this.#surroundings.uploads, readings, this.#surroundings.store)
  }

  get #sessions() {
    return this.#surroundings.store.sessions
  }

  async #load(
    owner: Owner,
    given: string,
    options?: FindOptions,
  ): Promise<NamedSession & { readonly session: SessionSummary }> {
    const name = this.#nameOf(owner, given)
    const session = name && (await this.#sessions.find(name.stored, options))
    if (!session) throw noSession(given)
    return { ...name, session }
  }

  #nameOf(owner: Owner, given: string): NamedSession | undefined {
    const stored = storedName(owner, given)
    return stored === undefined ? undefined : { stored, shown: given.normalize() }
  }

  /** The memory after the last reading, as it was reported when written, whichever workflow wrote it. */
  async #memory(readings: readonly SessionReading[]): Promise<string> {
    const { store } = this.#surroundings
    for (const { id } of readings.toReversed()) {
      const { result } = await store.load(id)
      if (result && result.type !== 'answers') return result.memory
      let last: string | undefined
      for await (const event of store.events(id)) if (event.type === 'memory-end') last = event.memory
      if (last !== undefined) return last
    }
    return ''
  }
}

const sessionView = (session: SessionSummary, name: string): Session => {
  const { question, model, workflow, createdMs, updatedMs, readings, documents, steps } = session
  const { unfinished, damaged } = session
  return {
    name,
    ...(question !== undefined && { question }),
    model,
    workflow,
    createdMs,
    updatedMs,
    readingCount: readings,
    documentCount: documents,
    steps,
    ...(unfinished !== undefined && { unfinished }),
    ...(damaged !== undefined && { failure: failureOf(damagedRun(damaged)) }),
  }
}
