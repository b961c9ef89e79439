/** Prepares the reading of a run from what it keeps. */
import {
  createTextDocument,
  type ReadingStart,
  requireGoingOn,
  type TextDocument,
  type Workflow,
} from '@memagent/core'
import { openDocuments, type SourceRemark } from '@memagent/documents'
import { type Store, type StoredRun, sessionMemory, withUnfinished } from '@memagent/store'
import type { Uploads } from '../files/uploads.ts'
import { ownReplies } from '../gateway/own-replies.ts'
import type { Operations } from '../operations/operations.ts'
import type { ServedModel } from '../served-model.ts'
import { readRun } from './read-run.ts'
import { fileGone, nothingRead, nothingReadYet } from './run-errors.ts'
import type { JobReading, RunJob } from './run-job.ts'
import type { ServerSettings } from './run-settings.ts'
import { servedModel, workflowOf } from './served-workflows.ts'

export interface Surroundings {
  readonly models: readonly ServedModel[]
  readonly store: Store
  readonly uploads: Uploads
  readonly operations: Operations
}

/** @throws RequestError if a model, a workflow or a file is missing; DocumentError; StoreError */
export async function prepareRun(
  run: StoredRun,
  settings: ServerSettings,
  job: RunJob,
  { models, store, uploads, operations }: Surroundings,
): Promise<JobReading> {
  const served = servedModel(models, settings.model)
  const workflow = await workflowOf(served, settings.workflow)
  const { readsInto, memoryOf, asksSession } = settings
  const start = await startFor(settings, workflow, store)
  const readsNothing = (memoryOf ?? asksSession) !== undefined
  const document = readsNothing
    ? createTextDocument('', run.document)
    : await openFiles(settings.files, uploads, ({ message }) => job.remark(message), job.signal)
  const writer = await store.resume(run.id)
  const { temperature, seed } = settings
  const { sampling, usesCache, ...reading } = served.reading ?? {}
  const { question, questions } = run
  return {
    sizeBytes: readsNothing ? 0 : document.sizeBytes,
    times: questions?.length ?? 1,
    isPredictable: !workflow.run && workflow.unreadBytes === undefined,
    writer,
    read: () =>
      operations.reading({ model: served.id, workflow: workflow.name }, (span) => {
        span.set({ 'memagent.run': run.id })
        return readRun({
          ...{ question, questions, document, writer, workflow },
          ...(start && { start }),
          // An empty text is not an error here, such as a day without an entry.
          ...((readsNothing || readsInto) && { allowEmpty: true }),
          ...(readsInto && { answers: false }),
          model: served.model,
          profile: served.profile,
          ...reading,
          sampling: {
            ...sampling,
            ...(temperature !== undefined && { temperature }),
            ...(seed !== undefined && { seed }),
          },
          ...(usesCache && { cache: ownReplies(writer.replies, settings.owner) }),
          signal: job.signal,
          onEvent: (event) => {
            operations.readingEvent(event, span)
            job.handle(event)
          },
          onSaved: (steps) => job.saved(steps),
        })
      }),
  }
}

/** @throws RequestError for a file that is gone, DocumentError */
export async function openFiles(
  files: ServerSettings['files'],
  uploads: Uploads,
  onRemark: (remark: SourceRemark) => void,
  signal?: AbortSignal,
): Promise<TextDocument> {
  for (const { id, filename } of files) if (!(await uploads.has(id))) throw fileGone(filename)
  return openDocuments(
    files.map((file) => uploads.fileOf(file)),
    { onRemark, signal },
  )
}

/** The memory that the run continues or asks. */
async function startFor(
  { memoryOf, asksSession, readsInto }: ServerSettings,
  workflow: Workflow,
  store: Store,
): Promise<ReadingStart | undefined> {
  if (memoryOf) return startOf(memoryOf, workflow, store)
  if (readsInto) return store.sessions.start(readsInto.session, readsInto.reading - 1)
  if (asksSession === undefined) return undefined
  const start = await sessionMemory(store, await store.sessions.load(asksSession))
  if (!start?.steps) throw nothingReadYet(asksSession)
  return start
}

/** @throws RequestError if nothing was read, ConfigurationError for a workflow whose memory cannot be asked again */
export async function startOf(
  { run, question }: NonNullable<ServerSettings['memoryOf']>,
  workflow: Workflow,
  store: Store,
): Promise<ReadingStart> {
  requireGoingOn(workflow)
  const start = await store.memory(run, question === undefined ? undefined : question - 1)
  if (!start?.steps) throw nothingRead(run)
  const read = await store.load(run)
  return read.state === 'finished' ? start : withUnfinished(start, read, 'The reading')
}
