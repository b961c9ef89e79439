/** What a new run is, from what a client asks for. */
import { ConfigurationError } from '@memagent/core'
import type { RunDescription, StoredRun } from '@memagent/store'
import type { Owner } from '../safety/keys.ts'
import { type Surroundings, startOf } from './prepare-run.ts'
import { badRequest, checkAsked, openRequest, type ReadRequest } from './read-request.ts'
import { cannotGoOn, ofSession, sayWhich } from './run-errors.ts'
import { type ServerSettings, settingsOf, storedSettings } from './run-settings.ts'
import { workflowOf } from './served-workflows.ts'

export interface StartRequest extends ReadRequest {
  readonly temperature?: number | null | undefined
  readonly seed?: number | null | undefined
}

export interface AskRequest {
  readonly question: string
  /** Of a run of several questions: whose memory, from 1. */
  readonly memoryOf?: number | undefined
}

export interface NewRun {
  readonly description: RunDescription
  /** Takes back what was kept for it. */
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
  return {
    description: {
      question: request.question,
      questions: request.questions,
      document: document.name,
      model: served.model.name,
      workflow: workflow.name,
      settings: storedSettings(settings),
    },
    onRefused: release,
  }
}

/** @throws RequestError 400, 409 */
export async function newAsk(
  owner: Owner,
  run: StoredRun,
  { question, memoryOf }: AskRequest,
  { models, store }: Surroundings,
): Promise<NewRun> {
  if (run.questions !== undefined && !(memoryOf !== undefined && memoryOf <= run.questions.length))
    throw sayWhich()
  if (run.questions === undefined && memoryOf !== undefined) {
    throw badRequest('memoryOf', 'The run has one memory alone.')
  }
  if (run.checkpoint?.earlier) throw ofSession(run.id)
  const before = settingsOf(run)
  const served =
    before === undefined
      ? models.find(({ model }) => model.name === run.model)
      : models.find(({ id }) => id === before.model)
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
  }
  const { document, model } = run
  return {
    description: { question, document, model, workflow: workflow.name, settings: storedSettings(settings) },
    onRefused: async () => undefined,
  }
}
