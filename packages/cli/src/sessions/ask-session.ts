/** `memagent session ask`: answers a question from the memory of a session, which stays as it is. */
import {
  createTextDocument,
  promptsFor,
  type ReadingStart,
  type TracedStatement,
  type VerifiedStatement,
  WarningLog,
} from '@memagent/core'
import { readingUnfinished, type SessionSummary, type Store, sessionMemory } from '@memagent/store'
import type { Command } from 'commander'
import { limitsOf } from '../commands/limit-options.ts'
import { exitCodeFor, printResult } from '../commands/print-result.ts'
import { samplingOf } from '../commands/reading-options.ts'
import { type EndEvent, runReading } from '../commands/run-reading.ts'
import { checkSourcesFlags } from '../commands/sources-option.ts'
import { report, UsageError } from '../failures.ts'
import { namingStore, openStore, quoted, storeArgument } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'
import { openView } from '../view/progress.ts'
import { remarksOf } from './kept-remarks.ts'
import { type OpenModel, openReader } from './open-reader.ts'
import { requireSessionName } from './session-name.ts'
import { type SessionFlags, settledFlags } from './session-settings.ts'
import { withPresentPaths, withShownPaths } from './shown-path.ts'
import { type Verification, verifySession } from './verify-session.ts'

export interface AskRequest {
  readonly name: string
  /** @default the session's */
  readonly question: string | undefined
  readonly flags: SessionFlags
  readonly command: Command
  /** @default opened anew, from its files or server */
  readonly openModel?: OpenModel | undefined
}

/** @returns the exit code: that of `ask` */
export async function askSession(
  { name: word, question, flags: given, command, openModel }: AskRequest,
  terminal: Terminal,
): Promise<number> {
  const view = openView(given, terminal)
  const warnings = new WarningLog()
  try {
    const name = requireSessionName(word)
    const { store, place } = await openStore(given, terminal)
    try {
      const session = await store.sessions.load(name)
      const flags = settledFlags(name, session, given, command, true)
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
            printEvents: flags.events ?? false,
          },
          terminal,
        )
        const documents = await store.sessions.documents(name)
        const end = withSources(read, (statements) => withPresentPaths(statements, documents))
        const rechecked = await recheck(end, { flags, session, documents, place }, terminal)
        const shown = flags.json ? end : withSources(end, withShownPaths)
        const prompts = promptsFor(workflow, profile.prompts).name
        const used = { name: profile.name, prompts, budget: profile.budget }
        const reading = { model: model.name, workflow: workflow.name, profile: used }
        const remarks = remarksOf(await store.sessions.readings(name))
        printResult({ end: shown, reading, remarks, rechecked }, flags, terminal)
        return exitCodeFor(end, rechecked)
      } finally {
        await reader.model.close?.()
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    view?.end()
    const output = { json: given.json ?? false, events: given.events, warnings: warnings.warnings }
    return report(namingStore(error, given), terminal, output)
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
  { provenance }: EndEvent,
  { flags, ...of }: Omit<Verification, 'flags'> & { readonly flags: SessionFlags },
  { stderr }: Terminal,
): Promise<readonly VerifiedStatement[] | undefined> {
  if (!flags.verify || !provenance) return undefined
  const found = await verifySession(provenance.answer ?? provenance.memory, { ...of, flags }, stderr)
  if (flags.json) return found
  return found.map(({ statement, ...one }) => {
    const [shown, changed] = withShownPaths([statement, { ...statement, sources: one.changed }])
    return { ...one, statement: shown!, changed: changed!.sources }
  })
}

function withSources(
  end: EndEvent,
  change: (statements: readonly TracedStatement[]) => readonly TracedStatement[],
): EndEvent {
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
