/** `memagent session ask`: answers a question from the memory of a session, which stays as it is. */
import {
  createTextDocument,
  promptsFor,
  type ReadingStart,
  type VerifiedStatement,
  WarningLog,
} from '@memagent/core'
import type { SessionSummary, Store } from '@memagent/store'
import type { Command } from 'commander'
import { limitsOf } from '../commands/limit-options.ts'
import { exitCodeFor, printResult } from '../commands/print-result.ts'
import { samplingOf } from '../commands/reading-options.ts'
import { type EndEvent, runReading } from '../commands/run-reading.ts'
import { checkSourcesFlags } from '../commands/sources-option.ts'
import { report, UsageError } from '../failures.ts'
import { namingStore, openStore, quoted, type StorePlace, storeArgument } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'
import { count, openView } from '../view/progress.ts'
import { openReader } from './open-reader.ts'
import { sessionName } from './session-name.ts'
import { type SessionFlags, settledFlags } from './session-settings.ts'
import { shownPath } from './shown-path.ts'
import { verifySession } from './verify-session.ts'

export interface AskRequest {
  readonly name: string
  /** @default the session's */
  readonly question: string | undefined
  readonly flags: SessionFlags
  readonly command: Command
}

/** @returns the exit code: that of `ask` */
export async function askSession(
  { name: word, question, flags: given, command }: AskRequest,
  terminal: Terminal,
): Promise<number> {
  const view = openView(given, terminal)
  const warnings = new WarningLog()
  try {
    const name = sessionName(word)
    const { store, place } = await openStore(given, terminal)
    try {
      const session = await store.sessions.load(name)
      const flags = settledFlags(name, session, given, command, true)
      checkSourcesFlags(flags, nothing)
      const asked = question ?? session.question
      if (asked === undefined) throw noQuestion(name, given)
      const start = await memoryOf(store, session, flags, (note) => view?.note(note))
      const all = { ...flags, changeSettings: true }
      const reader = await openReader(all, session, terminal, view, () => store.close())
      try {
        const { model, profile, workflow, waits } = reader
        const end = await runReading(
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
        const rechecked = await recheck(end, { flags, store, session, place }, terminal)
        const shown = flags.json ? end : withShownPaths(end)
        const prompts = promptsFor(workflow, profile.prompts).name
        const used = { name: profile.name, prompts, budget: profile.budget }
        const reading = { model: model.name, workflow: workflow.name, profile: used }
        printResult({ end: shown, reading, remarks: [], rechecked }, flags, terminal)
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

/** Of a reading that is not finished, what it came to so far. */
async function memoryOf(
  store: Store,
  { name, unfinished }: SessionSummary,
  flags: SessionFlags,
  note: (text: string) => void,
): Promise<ReadingStart> {
  const start = await store.sessions.start(name)
  if (!start) throw nothingRead(name, flags)
  if (unfinished === undefined) return start
  const { steps, state } = await store.load(unfinished)
  const how = state === 'running' ? 'is under way' : 'was stopped'
  const message = `A reading of the session ${how}: the memory is that after ${count(steps)} ${steps === 1 ? 'chunk' : 'chunks'} of it.`
  note(message)
  const step = Math.max(0, start.steps - 1)
  const warning = {
    code: 'reading-unfinished',
    message,
    step,
    lastStep: step,
    count: 1,
    touchesAnswer: false,
  }
  return { ...start, warnings: [...start.warnings, warning] }
}

async function recheck(
  { provenance }: EndEvent,
  { flags, ...of }: { flags: SessionFlags; store: Store; session: SessionSummary; place: StorePlace },
  { stderr }: Terminal,
): Promise<readonly VerifiedStatement[] | undefined> {
  if (!flags.verify || !provenance) return undefined
  return verifySession(provenance.answer ?? provenance.memory, { ...of, flags }, stderr)
}

/** As people know the files from the folder where they are. */
function withShownPaths<End extends EndEvent>(end: End): End {
  if (!end.provenance) return end
  const { answer, memory } = end.provenance
  const shown = (statements: typeof memory) =>
    statements.map((statement) => ({
      ...statement,
      sources: statement.sources.map((source) => ({ ...source, file: shownPath(source.file) })),
    }))
  return { ...end, provenance: { memory: shown(memory), ...(answer && { answer: shown(answer) }) } }
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
    message: `Nothing was read into the session ${name} yet.`,
    hint: `Go on: memagent session read ${quoted(name)}${storeArgument(flags)}`,
  })
