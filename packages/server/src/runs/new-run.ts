/** What a new run is, from what a client asks for. */
import { ConfigurationError, checkQuestions, createEstimateTokenizer } from '@memagent/core'
import type { RunDescription, StoredRun } from '@memagent/store'
import { RequestError } from '../errors.ts'
import { pastedText, type Upload } from '../files/uploads.ts'
import type { Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { openFiles, type Surroundings, startOf } from './prepare-run.ts'
import { cannotGoOn, ofSession, sayWhich } from './run-errors.ts'
import { type ServerSettings, settingsOf, storedSettings } from './run-settings.ts'
import { servedModel, workflowOf } from './served-workflows.ts'

export interface StartRequest {
  /** Neither this nor `questions`: notes are taken. */
  readonly question?: string | undefined
  readonly questions?: readonly string[] | undefined
  /** Ids of uploads. */
  readonly files: readonly string[]
  /** Read after the files. */
  readonly text?: string | undefined
  readonly model?: string | undefined
  readonly workflow?: string | undefined
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
  { question, questions, files, text, temperature, seed, ...request }: StartRequest,
  { models, uploads }: Surroundings,
): Promise<NewRun> {
  if (question !== undefined && questions !== undefined) {
    throw badRequest('questions', 'Give either question or questions.')
  }
  if (files.length === 0 && text === undefined)
    throw badRequest('files', 'There is no file and no text to read.')
  const served = servedModel(models, request.model)
  const workflow = await workflowOf(served, request.workflow)
  await checkAsked(question === undefined ? questions : [question], served, workflow)
  const found: Upload[] = []
  for (const id of files) found.push(await uploads.find(owner, id))
  const pasted = text === undefined ? undefined : await keepText(owner, text, uploads)
  const onRefused = async () => {
    if (pasted) await uploads.remove(pasted.id)
  }
  const read = [...found, ...(pasted ? [pasted] : [])].map(({ id, filename }) => ({ id, filename }))
  try {
    const document = await openFiles(read, uploads, () => undefined)
    const settings: ServerSettings = {
      ...(owner !== undefined && { owner }),
      files: read,
      model: served.id,
      workflow: workflow.name,
      ...(temperature != null && { temperature }),
      ...(seed != null && { seed }),
    }
    return {
      description: {
        question,
        questions,
        document: document.name,
        model: served.model.name,
        workflow: workflow.name,
        settings: storedSettings(settings),
      },
      onRefused,
    }
  } catch (error) {
    await onRefused()
    throw error
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

/** @throws RequestError 400 naming the question that is too long */
async function checkAsked(
  questions: readonly string[] | undefined,
  { model, profile }: ServedModel,
  workflow: ServedModel['workflow'],
): Promise<void> {
  if (!questions) return
  const tokenizer = model.tokenizer ?? createEstimateTokenizer()
  // Its server is asked for its window when it is read, and may not be there now.
  const described = Object.create(model, { describe: { value: undefined } }) as ServedModel['model']
  await checkQuestions(
    questions.map((text) => ({ text })),
    { model: described, profile, workflow, tokenizer },
  ).catch((error) => {
    throw ConfigurationError.isInstance(error) ? badRequest('question', error.message) : error
  })
}

async function keepText(owner: Owner, text: string, uploads: Surroundings['uploads']): Promise<Upload> {
  const bytes = Buffer.from(text)
  return uploads.add({
    owner,
    details: Promise.resolve({ filename: 'text.txt', purpose: pastedText }),
    content: (async function* () {
      yield bytes
    })(),
  })
}

const badRequest = (param: string, message: string) =>
  new RequestError({ status: 400, code: 'server/bad-request', message: `${param}: ${message}`, param })
