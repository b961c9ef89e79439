/** Turns a client's request into a reading into a session, or a question to its memory. */

import { createHash } from 'node:crypto'
import { ConfigurationError, createFileNames, requireGoingOn, type Workflow } from '@memagent/core'
import {
  type NewDocument,
  type RunDescription,
  type SessionSummary,
  sessionMemory,
  sessionNews,
} from '@memagent/store'
import type { SessionRead } from '@memagent/web'
import type { Upload, Uploads } from '../files/uploads.ts'
import { badRequest } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'
import { modelOf, type NewRun, newQuestion } from './new-run.ts'
import { openFiles, type Surroundings } from './prepare-run.ts'
import { checkAsked, keepText, type ReadRequest, requireTexts } from './read-request.ts'
import {
  cannotGoOn,
  nothingReadYet,
  otherSession,
  sessionOfCommand,
  sessionUnfinished,
} from './run-errors.ts'
import { remarksOn, type ServerSettings, settingsOf, storedSettings } from './run-settings.ts'
import { servedModel, workflowOf } from './served-workflows.ts'

/**
 * The question is what the memory is for; with model and workflow it is settled when the session begins: later they may be left
 * out, but not changed.
 */
export interface SessionReadRequest extends Omit<ReadRequest, 'questions'> {
  /** Files that were read under this name with another content are read again. @default false */
  readonly readChanged?: boolean | undefined
}

export interface SessionAskRequest {
  /** @default the session's */
  readonly question?: string | undefined
}

export interface NamedSession {
  /** Its name in the store. */
  readonly stored: string
  /** The name that its owner knows. */
  readonly shown: string
}

export interface NewSessionReading {
  readonly told: Omit<SessionRead, 'run'>
  /** Undefined if nothing is new. */
  readonly run: NewRun | undefined
}

/** A file, as the session knows it. */
type Text = NewDocument & Pick<Upload, 'id'>

/** @param session undefined if it begins @throws RequestError, DocumentError */
export async function newSessionReading(
  owner: Owner,
  name: NamedSession,
  session: SessionSummary | undefined,
  request: SessionReadRequest,
  surroundings: Surroundings,
): Promise<NewSessionReading> {
  const { store, uploads } = surroundings
  requireTexts(request)
  const { settings, about } = await settledReading(owner, name.shown, session, request, surroundings)
  const after = session?.readings ?? 0
  const texts = await textsOf(owner, request, uploads, after + 1)
  const release = async () => {
    for (const { id } of texts) await uploads.removePasted(id)
  }
  try {
    const documents = await store.sessions.documents(name.stored)
    const { readChanged: readsChanged = false } = request
    const { fresh, known, changed, copies } = await sessionNews(texts, documents, { readsChanged })
    const read = fresh.map(({ path }) => path)
    const told = {
      ...{ read, known: [...known], changed: [...changed] },
      copies: copies.map(({ path, of }) => ({ name: path, of })),
    }
    for (const text of texts) if (!fresh.includes(text)) await uploads.removePasted(text.id)
    if (fresh.length === 0) return { told, run: undefined }
    const files = fresh.map(({ id, path }) => ({ id, filename: path }))
    await openFiles(files, uploads, () => undefined)
    const document = `session ${name.shown}: ${read.length === 1 ? read[0] : `${read.length} files`}`
    const readsInto = { session: name.stored, reading: after + 1 }
    const run = { ...about, document, settings: storedSettings({ ...settings, files, readsInto }) }
    const create = () =>
      store.sessions.create(name.stored, { run, documents: fresh.map(({ id: _, ...one }) => one), after })
    return { told, run: { create, onRefused: release } }
  } catch (error) {
    await release()
    throw error
  }
}

/** How it is read: as the session began, or, if it is new, as the client asks. */
async function settledReading(
  owner: Owner,
  name: string,
  session: SessionSummary | undefined,
  request: SessionReadRequest,
  { models }: Surroundings,
): Promise<{ settings: ServerSettings; about: Omit<RunDescription, 'document' | 'settings'> }> {
  const before = session && settingsOf(session)
  if (session && !before) throw sessionOfCommand(name)
  if (session?.unfinished !== undefined) throw sessionUnfinished(name, session.unfinished)
  if (session && before) {
    const was = { question: session.question, model: before.model, workflow: before.workflow }
    for (const field of ['question', 'model', 'workflow'] as const) {
      const given = request[field]
      if (given !== undefined && given !== was[field]) throw otherSession(name, field, was[field])
    }
  }
  const served = servedModel(models, before?.model ?? request.model)
  const workflow = await workflowOf(served, before?.workflow ?? request.workflow)
  requireMemory(workflow)
  const question = session ? session.question : request.question
  if (question !== undefined) await checkAsked([question], served, workflow)
  const whose = owner ?? before?.owner
  return {
    settings: {
      ...(whose !== undefined && { owner: whose }),
      ...{ files: [], model: served.id, workflow: workflow.name },
    },
    about: { ...(question !== undefined && { question }), model: served.model.name, workflow: workflow.name },
  }
}

/** @throws RequestError 400 for a workflow whose memory cannot be continued */
function requireMemory(workflow: Workflow): void {
  try {
    requireGoingOn(workflow)
  } catch (error) {
    throw ConfigurationError.isInstance(error) ? badRequest('workflow', error.message) : error
  }
}

/** Texts are known by name and content; equal names in one request are made distinct. */
async function textsOf(
  owner: Owner,
  { files, text }: SessionReadRequest,
  uploads: Uploads,
  reading: number,
): Promise<readonly Text[]> {
  const found: Upload[] = []
  for (const id of new Set(files)) found.push(await uploads.find(owner, id))
  if (text !== undefined) found.push(await keepText(owner, text, uploads, `text ${reading}.txt`))
  const nameOf = createFileNames()
  const texts: Text[] = []
  for (const upload of found) {
    const hash = createHash('sha256')
    for await (const bytes of uploads.contentOf(upload)) hash.update(bytes)
    const { id, filename, bytes: sizeBytes } = upload
    texts.push({ id, path: nameOf(filename), sizeBytes, sha256: hash.digest('hex') })
  }
  return texts
}

/** @throws RequestError 400, 409 */
export async function newSessionAsk(
  owner: Owner,
  name: NamedSession,
  session: SessionSummary,
  { question = session.question }: SessionAskRequest,
  { models, store }: Surroundings,
): Promise<NewRun> {
  if (question === undefined) {
    throw badRequest('question', 'The session takes general notes: it has no question of its own.')
  }
  const { model } = session
  const served = modelOf(session, models)
  if (!served) throw cannotGoOn(`The session was read with another model, ${model}.`)
  const workflow = await workflowOf(served, session.workflow)
  await checkAsked([question], served, workflow)
  if (!(await sessionMemory(store, session))?.steps) throw nothingReadYet(name.shown)
  const whose = owner ?? settingsOf(session)?.owner
  const settings: ServerSettings = {
    ...(whose !== undefined && { owner: whose }),
    ...{ files: [], model: served.id, workflow: workflow.name, asksSession: name.stored },
    ...remarksOn(await store.sessions.readings(name.stored)),
  }
  return newQuestion({ question, document: `session ${name.shown}`, model }, settings, store)
}
