/** Checks and opens what a client wants to have read, before anything of it is kept. */
import {
  ConfigurationError,
  checkQuestions,
  createEstimateTokenizer,
  createFileNames,
  type TextDocument,
  type Workflow,
} from '@memagent/core'
import { pastedText, type Upload, type Uploads } from '../files/uploads.ts'
import { badRequest } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { openFiles, type Surroundings } from './prepare-run.ts'
import type { ServerSettings } from './run-settings.ts'
import { servedModel, workflowOf } from './served-workflows.ts'

export interface ReadRequest {
  /** Without this and `questions`, notes are taken. */
  readonly question?: string | undefined
  readonly questions?: readonly string[] | undefined
  /** Ids of uploads; one given twice is read once. */
  readonly files: readonly string[]
  /** Read after the files. */
  readonly text?: string | undefined
  readonly model?: string | undefined
  readonly workflow?: string | undefined
}

export interface OpenedRequest {
  readonly served: ServedModel
  readonly workflow: Workflow
  readonly document: TextDocument
  readonly files: ServerSettings['files']
  /** Discards what was kept for it. */
  readonly release: () => Promise<void>
}

/** @throws RequestError 400, 404 for a file; DocumentError */
export async function openRequest(
  owner: Owner,
  { question, questions, files, text, ...request }: ReadRequest,
  { models, uploads }: Pick<Surroundings, 'models' | 'uploads'>,
): Promise<OpenedRequest> {
  if (question !== undefined && questions !== undefined) {
    throw badRequest('questions', 'Give either question or questions.')
  }
  requireTexts({ files, text })
  const served = servedModel(models, request.model)
  const workflow = await workflowOf(served, request.workflow)
  await checkAsked(question === undefined ? questions : [question], served, workflow)
  const found: Upload[] = []
  for (const id of new Set(files)) found.push(await uploads.find(owner, id))
  const pasted = text === undefined ? undefined : await keepText(owner, text, uploads)
  const release = async () => {
    if (pasted) await uploads.remove(pasted.id)
  }
  // Sources name files, so each has its own name for as long as the run is kept.
  const nameOf = createFileNames()
  const read = [...found, ...(pasted ? [pasted] : [])].map(({ id, filename }) => ({
    id,
    filename: nameOf(filename),
  }))
  try {
    const document = await openFiles(read, uploads, () => undefined)
    return { served, workflow, document, files: read, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** @throws RequestError 400 */
export function requireTexts({ files, text }: Pick<ReadRequest, 'files' | 'text'>): void {
  if (files.length === 0 && text === undefined) {
    throw badRequest('files', 'There is no file and no text to read.')
  }
}

/** @throws RequestError 400 naming the question that is too long */
export async function checkAsked(
  questions: readonly string[] | undefined,
  { model, profile }: ServedModel,
  workflow: ServedModel['workflow'],
): Promise<void> {
  if (!questions) return
  const tokenizer = model.tokenizer ?? createEstimateTokenizer()
  // Hides `describe`, which asks the model's server for its window: it may not be reachable now.
  const described = Object.create(model, { describe: { value: undefined } }) as ServedModel['model']
  await checkQuestions(
    questions.map((text) => ({ text })),
    { model: described, profile, workflow, tokenizer },
  ).catch((error) => {
    throw ConfigurationError.isInstance(error) ? badRequest('question', error.message) : error
  })
}

/** Keeps a text that is part of a request, as a file of its run alone. */
export async function keepText(
  owner: Owner,
  text: string,
  uploads: Uploads,
  filename = 'text.txt',
): Promise<Upload> {
  const bytes = Buffer.from(text)
  return uploads.add({
    owner,
    details: Promise.resolve({ filename, purpose: pastedText }),
    content: (async function* () {
      yield bytes
    })(),
  })
}
