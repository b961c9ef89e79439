/** Turns a client's request into a new run. */
import { ConfigurationError } from '@memagent/core'
import type { RunDescription, StoredRun } from '@memagent/store'
import { badRequest, RequestError } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { type Surroundings, startOf } from './prepare-run.ts'
import { checkAsked, openRequest, type ReadRequest } from './read-request.ts'
import { askedIsGone, cannotGoOn, ofSession, sayWhich } from './run-errors.ts'
import { remarksOn, type ServerSettings, settingsOf, storedSettings } from './run-settings.ts'
import { workflowOf } from './served-workflows.ts'

export interface StartRequest extends ReadRequest {
  readonly temperature?: number | null | undefined
  readonly seed?: number | null | undefined
}

export interface AskRequest {
  readonly question: string
  /** For a run of several questions: whose memory, from 1. */
  readonly memoryOf?: number | undefined
}

export interface NewRun {
  /** @returns its id @throws StoreError */
  readonly create: () => Promise<string>
  /** Discards what was kept for it. */
  readonly onRefused: () => Promise<void>
}

/** @throws RequestError, DocumentError */
export async function newRun(
  owner: Owner,
  { temperature, seed, ...request }: StartRequest,
  surroundings: Surroundings,
): Promise<NewRun> {
  const { served, workflow, document, files, release } = await openRequest(owner, request, surroundings)
  const settings: ServerSettings = {
    ...(owner !== undefined && { owner }),
    files,
    model: served.id,
    workflow: workflow.name,
    ...(temperature != null && { temperature }),
    ...(seed != null && { seed }),
  }
  const description: RunDescription = {
    question: request.question,
    questions: request.questions,
    document: document.name,
    model: served.model.name,
    workflow: workflow.name,
    settings: storedSettings(settings),
  }
  return { create: () => surroundings.store.create(description), onRefused: release }
}

/** @param load loads a run as this owner sees it @throws RequestError 400, 409 */
export async function newAsk(
  owner: Owner,
  asked: StoredRun,
  request: AskRequest,
  { models, store }: Surroundings,
  load: (id: string) => Promise<StoredRun>,
): Promise<NewRun> {
  const { question } = request
  const { run, memoryOf } = await whoseMemory(asked, request, load)
  if (run.questions !== undefined && !(memoryOf !== undefined && memoryOf <= run.questions.length))
    throw sayWhich('memoryOf', 'a memory')
  if (run.questions === undefined && memoryOf !== undefined) {
    throw oneMemory()
  }
  if (run.checkpoint?.earlier) throw ofSession(run.id)
  const served = modelOf(run, models)
  if (!served) throw cannotGoOn(`The run ${run.id} was read with another model, ${run.model}.`)
  const workflow = await workflowOf(served, run.workflow)
  await checkAsked([question], served, workflow)
  const memory = { run: run.id, ...(memoryOf !== undefined && { question: memoryOf }) }
  await startOf(memory, workflow, store).catch((error) => {
    throw ConfigurationError.isInstance(error) ? cannotGoOn(error.message) : error
  })
  const settings: ServerSettings = {
    ...(owner !== undefined && { owner }),
    files: [],
    model: served.id,
    workflow: workflow.name,
    memoryOf: memory,
    ...remarksOn([run]),
  }
  return newQuestion({ question, document: run.document, model: run.model }, settings, store)
}

/** If the run asked another run's memory, that memory. */
async function whoseMemory(
  run: StoredRun,
  { memoryOf }: AskRequest,
  load: (id: string) => Promise<StoredRun>,
): Promise<{ readonly run: StoredRun; readonly memoryOf: number | undefined }> {
  const before = settingsOf(run)?.memoryOf
  if (!before) return { run, memoryOf }
  if (memoryOf !== undefined) throw oneMemory()
  const first = await load(before.run).catch((error) => {
    throw RequestError.isInstance(error) ? askedIsGone(run.id, before.run) : error
  })
  return { run: first, memoryOf: before.question }
}

/** A run that reads nothing. */
export const newQuestion = (
  about: Pick<RunDescription, 'question' | 'document' | 'model'>,
  settings: ServerSettings,
  store: Surroundings['store'],
): NewRun => ({
  create: () => store.create({ ...about, workflow: settings.workflow, settings: storedSettings(settings) }),
  onRefused: async () => undefined,
})

const oneMemory = () => badRequest('memoryOf', 'The run has one memory alone.')

/** The model that wrote a memory, whoever asked it; undefined if this server does not have it. */
export function modelOf(
  run: Pick<RunDescription, 'model' | 'settings'>,
  models: Surroundings['models'],
): ServedModel | undefined {
  const before = settingsOf(run)
  return models.find(({ id, model }) =>
    before === undefined ? model.name === run.model : id === before.model,
  )
}
