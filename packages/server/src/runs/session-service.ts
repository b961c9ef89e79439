/** Sessions that commands of this machine began: seen where no keys are needed, and by nobody else. */
import { basename } from 'node:path'
import type { SessionReading, SessionSummary, Store } from '@memagent/store'
import type { Session, WholeSession } from '../api/schemas.ts'
import type { Owner } from '../safety/keys.ts'
import { inputKept, noSession } from './run-errors.ts'
import { runView } from './run-view.ts'

/** Every method that takes a name throws RequestError 404 where this owner sees no such session. */
export class SessionService {
  readonly #store: Pick<Store, 'load' | 'events' | 'sessions'>

  constructor(store: Pick<Store, 'load' | 'events' | 'sessions'>) {
    this.#store = store
  }

  /** The one that was read into last comes first. */
  async list(owner: Owner): Promise<{ sessions: Session[] }> {
    const sessions = owner === undefined ? await this.#store.sessions.list() : []
    return { sessions: sessions.map(sessionView) }
  }

  /** With its memory, readings and documents. */
  async find(owner: Owner, name: string): Promise<WholeSession> {
    const session = await this.#load(owner, name)
    const { sessions } = this.#store
    const readings = await sessions.readings(session.name)
    const documents = await sessions.documents(session.name)
    return {
      ...sessionView(session),
      memory: await this.#memory(readings),
      readings: readings.map((reading) => runView(reading)),
      documents: documents.map(({ path, sizeBytes, reading, isRead }) => ({
        name: basename(path),
        sizeBytes,
        reading,
        isRead,
      })),
    }
  }

  /** @throws RequestError 409 while it is read, and where only a command can erase all of it */
  async remove(owner: Owner, name: string): Promise<void> {
    const { name: kept } = await this.#load(owner, name)
    const { sessions } = this.#store
    const documents = await sessions.documents(kept)
    // It lies where commands keep it.
    if (documents.some(({ input }) => input !== undefined)) throw inputKept(kept)
    await sessions.remove(kept)
  }

  async #load(owner: Owner, name: string): Promise<SessionSummary> {
    const found = owner === undefined ? await this.#store.sessions.find(name.normalize()) : undefined
    if (!found) throw noSession(name)
    return found
  }

  /** After what was read last, as it was told when it was written: whichever workflow wrote it. */
  async #memory(readings: readonly SessionReading[]): Promise<string> {
    for (const { id } of readings.toReversed()) {
      const { result } = await this.#store.load(id)
      if (result && result.type !== 'answers') return result.memory
      let last: string | undefined
      for await (const event of this.#store.events(id)) if (event.type === 'memory-end') last = event.memory
      if (last !== undefined) return last
    }
    return ''
  }
}

const sessionView = (session: SessionSummary): Session => {
  const { name, question, model, workflow, createdMs, updatedMs, readings, documents, steps, unfinished } =
    session
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
  }
}
