/** Opens the model of a session, with profile and workflow. */
import { type ChatModel, type ModelProfile, requireGoingOn, type Workflow } from '@memagent/core'
import type { SessionSummary } from '@memagent/store'
import { openingStage, openModel } from '../backends.ts'
import { chunksAhead, noteOnAhead } from '../commands/ahead-option.ts'
import { noteOnModel } from '../commands/read-texts.ts'
import { chooseWorkflow, modelRequest, noteOnProfile, readingWith } from '../commands/reading-options.ts'
import { UsageError } from '../failures.ts'
import { createServerWaits, type ServerWaits } from '../server-waits.ts'
import { leavingOnSignals } from '../signals.ts'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'
import type { SessionFlags } from './session-settings.ts'

export type OpenModel = typeof openModel

export interface Reader {
  readonly model: ChatModel
  readonly profile: ModelProfile
  readonly workflow: Workflow
  readonly waits: ServerWaits
}

/**
 * @param session undefined: a new one
 * @param leave what to do before a signal ends the process
 * @param open opens the model, which is closed after the reading
 * @throws ConfigurationError for a workflow whose memory cannot go on; UsageError for another model
 */
export async function openReader(
  flags: SessionFlags,
  session: SessionSummary | undefined,
  terminal: Terminal,
  view: ProgressView | undefined,
  leave: () => Promise<unknown>,
  open: OpenModel = openModel,
): Promise<Reader> {
  const chosen = await chooseWorkflow(flags)
  if (chosen.workflow) requireGoingOn(chosen.workflow)
  view?.waitFor(openingStage(flags.model))
  const waits = createServerWaits(view)
  const opened = await leavingOnSignals(
    () => open(modelRequest(flags, chunksAhead(flags, chosen.workflow)), terminal.environment, waits),
    terminal,
    flags,
    view,
    leave,
  )
  const { model } = opened
  try {
    if (session && model.name !== session.model && !flags.changeSettings)
      throw otherModel(session, model.name)
    if (!session) noteOnModel(opened, flags.question, view)
    const { profile, workflow } = await readingWith(model, flags, chosen)
    const notes = [noteOnProfile(model, profile, workflow), noteOnAhead(flags, workflow)]
    for (const note of session ? [] : notes) if (note !== undefined) view?.note(note)
    return { model, profile, workflow, waits }
  } catch (error) {
    await model.close?.()
    throw error
  }
}

const otherModel = ({ name, model }: SessionSummary, now: string) =>
  new UsageError({
    code: 'session/other-model',
    message: `The memory of the session ${name} was written by ${model}; this is ${now}.`,
    hint: `To go on with ${now}, add --change-settings; or name the other one with --model.`,
    details: { name, model, now },
  })
