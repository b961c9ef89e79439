/** `memagent session ask`: answers a question from the memory of a session, which stays as it is. */
import {
  type AnswerEvent,
  createTextDocument,
  promptsFor,
  type ReadingStart,
  type TracedStatement,
  type VerifiedStatement,
  WarningLog,
} from '@memagent/core'
import { readingUnfinished, type SessionSummary, type Store, sessionMemory } from '@memagent/store'
import { limitsOf } from '../commands/limit-options.ts'
import { exitCodeFor, printResult, type Result } from '../commands/print-result.ts'
import { samplingOf } from '../commands/reading-options.ts'
import { runReading } from '../commands/run-reading.ts'
import { checkSourcesFlags, statementsOf } from '../commands/sources-option.ts'
import { report, UsageError } from '../failures.ts'
import { namingStore, openStore, quoted, storeArgument } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'
import { openView, type ProgressView } from '../view/progress.ts'
import { remarksOf } from './kept-remarks.ts'
import { type OpenModel, openReader } from './open-reader.ts'
import { requireSessionName } from './session-name.ts'
import { type IsGiven, type SessionFlags, settledFlags } from './session-settings.ts'
import { withPresentPaths, withShownPaths } from './shown-path.ts'
import { type Verification, verifySession } from './verify-session.ts'

export interface AskRequest {
  readonly name: string
  /** @default the session's */
  readonly question: string | undefined
  readonly flags: SessionFlags
  readonly isGiven: IsGiven
  /** @default opened anew, from its files or server */
  readonly openModel?: OpenModel | undefined
  readonly onEvent?: ((event: object) => void) | undefined
}

/** The result, with the session's flags. */
export interface SessionAnswer extends Result {
  readonly end: AnswerEvent
  readonly flags: SessionFlags
}

/** @returns the exit code: that of `ask` */
export async function askSession(request: AskRequest, terminal: Terminal): Promise<number> {
  const { flags: given } = request
  const view = openView(given, terminal)
  const warnings = new WarningLog()
  try {
    const { flags, ...result } = await answerFromSession(request, terminal, view, warnings)
    printResult(flags.json ? result : withShown(result), flags, terminal)
    return exitCodeFor(result.end, result.rechecked)
  } catch (error) {
    view?.end()
    return report(namingStore(error, given), terminal, given, { warnings: warnings.warnings })
  }
}

/** @throws UsageError if nothing was read or there is no question; what `runReading` throws */
export async function answerFromSession(
  { name: word, question, flags: given, isGiven, openModel, onEvent }: AskRequest,
  terminal: Terminal,
  view?: ProgressView,
  warnings = new WarningLog(),
): Promise<SessionAnswer> {
  const name = requireSessionName(word)
  const { store, place } = await openStore(given, terminal)
  try {
    const session = await store.sessions.load(name)
    const flags = settledFlags(name, session, given, isGiven, true)
    checkSourcesFlags(flags, nothing)
    const asked = question ?? session.question
    if (asked === undefined) throw noQuestion(name, given)
    const start = await memoryOf(store, session, flags, (note) => view?.note(note))
    const all = { ...flags, changeSettings: true }
    const reader = await openReader(all, session, terminal, view, () => store.close(), openModel)
    try {
      const { model, profile, workflow, waits } = reader
      const read = await runReading(
        {
          ...{ question: asked, document: nothing, start, model, profile, workflow, waits, warnings, view },
          sampling: samplingOf(flags),
          limits: limitsOf(flags),
          allowEmpty: true,
          provenance: flags.sources,
          onEvent,
        },
        terminal,
      )
      const documents = await store.sessions.documents(name)
      const readings = await store.sessions.readings(name)
      const end = withSources(read, (statements) => withPresentPaths(statements, documents, readings))
      const rechecked = await recheck(end, { flags, session, documents, place }, terminal)
      const prompts = promptsFor(workflow, profile.prompts).name
      const used = { name: profile.name, prompts, budget: profile.budget }
      const reading = { model: model.name, workflow: workflow.name, profile: used }
      const remarks = remarksOf(readings)
      return { end, reading, remarks, rechecked, flags }
    } finally {
      await reader.model.close?.()
    }
  } finally {
    await store.close()
  }
}

const nothing = createTextDocument('', 'the memory')

async function memoryOf(
  store: Store,
  session: SessionSummary,
  flags: SessionFlags,
  note: (text: string) => void,
): Promise<ReadingStart> {
  const start = await sessionMemory(store, session)
  if (!start?.steps) throw nothingRead(session.name, flags)
  for (const { code, message } of start.warnings) if (code === readingUnfinished) note(message)
  return start
}

async function recheck(
  { provenance }: AnswerEvent,
  of: Verification,
  { stderr }: Terminal,
): Promise<readonly VerifiedStatement[] | undefined> {
  return of.flags.verify ? verifySession(statementsOf(provenance), of, stderr) : undefined
}

/** With paths as shown to people. */
const withShown = <One extends Omit<SessionAnswer, 'flags'>>(result: One): One => ({
  ...result,
  end: withSources(result.end, withShownPaths),
  rechecked: result.rechecked?.map(({ statement, ...one }) => {
    const [shown, changed] = withShownPaths([statement, { ...statement, sources: one.changed }])
    return { ...one, statement: shown!, changed: changed!.sources }
  }),
})

function withSources(
  end: AnswerEvent,
  change: (statements: readonly TracedStatement[]) => readonly TracedStatement[],
): AnswerEvent {
  if (!end.provenance) return end
  const { answer, memory } = end.provenance
  return { ...end, provenance: { memory: change(memory), ...(answer && { answer: change(answer) }) } }
}

const noQuestion = (name: string, flags: SessionFlags) =>
  new UsageError({
    code: 'session/no-question',
    message: `The session ${name} takes general notes: it has no question of its own.`,
    hint: `Ask one: memagent session ask ${quoted(name)} "..."${storeArgument(flags)}`,
  })

const nothingRead = (name: string, flags: SessionFlags) =>
  new UsageError({
    code: 'session/nothing-read',
    message: `Nothing with text was read into the session ${name} yet.`,
    hint: `Go on: memagent session read ${quoted(name)}${storeArgument(flags)}`,
  })
