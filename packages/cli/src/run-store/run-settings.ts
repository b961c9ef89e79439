/** What a run keeps so that `memagent resume` can do the same again: files and options, without secrets. */
import { mayBeKept } from '@memagent/core'
import { type Json, type RunSummary, type StoredRun, StoreError } from '@memagent/store'
import { z } from 'zod'
import type { AskedQuestion } from '../questions/question-file.ts'
import { type QuestionList, questionList } from '../questions/question-list.ts'
import { fileChanges, fileVersions } from './file-versions.ts'

const runSettings = z.object({
  folder: z.string(),
  files: z.array(z.string()),
  flags: z.record(z.string(), z.unknown()),
  /** Options that were given but not kept, since they may contain secrets. */
  leftOut: z.array(z.string()),
  /** The kept standard input. */
  input: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Several questions, as they were asked. */
  questions: z.array(z.object({ id: z.string(), text: z.string(), line: z.number() })).optional(),
  /** The files when the run began. */
  versions: z.array(z.object({ path: z.string(), sizeBytes: z.number(), modifiedMs: z.number() })),
  /** The list is complete, including files in folders. */
  listsFolders: z.boolean().optional(),
})

export type RunSettings = z.infer<typeof runSettings>

/** Belong to one command, not to the run. */
const ofTheCommand = new Set([
  ...['store', 'checkpoint', 'config', 'json', 'events', 'quiet', 'color'],
  ...['questions', 'format'],
  ...['maxCalls', 'maxCost'],
])
const mayBeSecret = (name: string, value: unknown) =>
  name === 'header' || [value].flat().some((one) => String(one).includes('://') && !mayBeKept(String(one)))

export async function settingsOf(
  files: readonly string[],
  flags: object,
  input: string | undefined,
  questions?: readonly AskedQuestion[],
): Promise<RunSettings> {
  const given = Object.entries(flags).filter(
    ([name, value]) => value !== undefined && !ofTheCommand.has(name),
  )
  const kept = given.filter(([name, value]) => !mayBeSecret(name, value))
  const leftOut = given.filter((entry) => !kept.includes(entry)).map(([name]) => optionOf(name))
  const { versions, areAll } = await fileVersions({ files, ...patternsOf(Object.fromEntries(kept)) })
  return {
    folder: process.cwd(),
    files: [...files],
    flags: Object.fromEntries(kept),
    leftOut,
    ...(input === undefined ? {} : { input }),
    ...(questions && { questions: [...questions] }),
    versions: [...versions],
    listsFolders: areAll,
  }
}

/** `--price-in` for `priceIn`. */
export const optionOf = (name: string) =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** As JSON for the store. */
export const storedSettings = (settings: RunSettings): Json => settings as unknown as Json

/** Whether `settingsFrom` gives its settings: a server goes on with its own runs, and imported ones have none. */
export const isOfCommand = ({ settings }: Pick<RunSummary, 'settings'>): boolean =>
  runSettings.safeParse(settings).success

/** @throws StoreError for a run that was imported, or begun by another program */
export function settingsFrom(run: Pick<StoredRun, 'id' | 'settings'>): RunSettings {
  const { success, data } = runSettings.safeParse(run.settings)
  if (success) return data
  throw ofAnother(run)
}

/** How an unfinished run goes on, for people. @param store what to add to a command so that it finds the run */
export const goingOnText = (run: Pick<StoredRun, 'id' | 'settings'>, store: string): string =>
  isOfCommand(run) ? `Resume it: memagent resume ${run.id}${store}` : ofAnother(run).hint!

function ofAnother({ id, settings }: Pick<StoredRun, 'id' | 'settings'>): StoreError {
  if (settings !== null && typeof settings === 'object') {
    if ('server' in settings) return ofServer(id)
    if ('conversation' in settings) return ofRequest(id)
  }
  return new StoreError({
    code: 'store/no-settings',
    message: `The run ${id} was imported, or begun by another program: how to read it is not known.`,
    hint: 'Ask the same question about the same texts with the same settings: that continues it.',
    details: { id },
  })
}

const ofServer = (id: string) =>
  new StoreError({
    code: 'store/run-of-server',
    message: `The run ${id} was begun through memagent serve, which has its texts.`,
    hint: `Start the server: it goes on by itself, or, if it was cancelled or failed, when it is resumed on its page (POST /api/runs/${id}/resume).`,
    details: { id },
  })

const ofRequest = (id: string) =>
  new StoreError({
    code: 'store/run-of-request',
    message: `The run ${id} is the reading of a conversation by memagent serve, which only a request brings.`,
    hint: 'Send the same request to the server again: it goes on where the run stopped.',
    details: { id },
  })

/** The questions of a run, as they were asked, and which reading answers each. */
export function questionsOf(run: Pick<StoredRun, 'settings' | 'questions'>): QuestionList {
  const kept = runSettings.safeParse(run.settings).data?.questions
  if (kept) return questionList(kept, 'the run')
  // A server or a program reads each, even if it is the same as another.
  const asked = askedQuestions(run)
  return { asked, read: asked.map(({ text }) => ({ text })), readAs: asked.map((_, i) => i) }
}

/** The questions of a run as they were asked; of an imported run, as they were read. */
export const askedQuestions = ({
  settings,
  questions = [],
}: Pick<StoredRun, 'settings' | 'questions'>): readonly AskedQuestion[] =>
  runSettings.safeParse(settings).data?.questions ??
  questions.map((text, i) => ({ id: String(i + 1), text, line: i + 1 }))

/** Describes the files that have changed since the run began. */
export function changesOf({ versions, listsFolders, files, flags }: RunSettings): Promise<readonly string[]> {
  return fileChanges({ versions, areAll: listsFolders ?? false }, { files, ...patternsOf(flags) })
}

const patternsOf = ({ include, exclude }: Readonly<Record<string, unknown>>) => {
  const patterns = z.array(z.string()).optional().catch(undefined)
  return { include: patterns.parse(include), exclude: patterns.parse(exclude) }
}
