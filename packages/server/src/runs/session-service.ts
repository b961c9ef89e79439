/** Sessions that commands of this machine began: seen where no keys are needed, and by nobody else. */
import { basename } from 'node:path'
import { workflowNamed } from '@memagent/core'
import { type SessionSummary, type Store, StoreError } from '@memagent/store'
import type { Session, WholeSession } from '../api/schemas.ts'
import type { Owner } from '../safety/keys.ts'
import { inputKept, noSession, sessionRead } from './run-errors.ts'
import { runView } from './run-view.ts'

/** Every method that takes a name throws RequestError 404 where this owner sees no such session. */
export class SessionService {
  readonly #store: Pick<Store, 'load' | 'sessions'>

  constructor(store: Pick<Store, 'load' | 'sessions'>) {
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
      memory: await this.#memory(session, readings.at(-1)!.id),
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
    await sessions.remove(kept).catch((error: unknown) => {
      throw StoreError.isInstance(error) && error.code === 'store/session-in-use' ? sessionRead(kept) : error
    })
  }

  async #load(owner: Owner, name: string): Promise<SessionSummary> {
    const found = owner === undefined ? await this.#store.sessions.find(name.normalize()) : undefined
    if (!found) throw noSession(name)
    return found
  }

  /** Of the last reading, as far as it is. */
  async #memory({ name, workflow }: SessionSummary, last: string): Promise<string> {
    const { result } = await this.#store.load(last)
    if (result && result.type !== 'answers') return result.memory
    const start = await this.#store.sessions.start(name)
    return start ? (await workflowNamed(workflow)).memory(start.state) : ''
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
