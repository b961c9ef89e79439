/** How a session reads: fixed when it begins, so that its whole memory is written in one way. */
import { resolve } from 'node:path'
import { isModulePath, parseModelSpec } from '@memagent/core'
import { isPromptFile } from '@memagent/core/settings'
import type { SessionSummary } from '@memagent/store'
import type { Command } from 'commander'
import { z } from 'zod'
import { backends } from '../backends.ts'
import type { AskFlags } from '../commands/ask-options.ts'
import type { TextFlags } from '../commands/open-text.ts'
import { prices, settableOptions } from '../configuration/settings.ts'
import { UsageError } from '../failures.ts'
import { quoted, storeArgument } from '../run-store/open-store.ts'
import { optionOf, settingsOf, storedSettings } from '../run-store/run-settings.ts'

export interface SessionFlags extends AskFlags {
  readonly question?: string
  readonly changeSettings?: boolean
  readonly readChanged?: boolean
}

export type IsGiven = (flag: string) => boolean

/** Whether a flag was given on the command line. */
export const givenTo =
  (command: Command): IsGiven =>
  (flag) =>
    command.getOptionValueSource(flag) === 'cli'

/** How the memory is written: a change needs `--change-settings`. */
const ofTheModel = [
  ...['model', 'prompts', 'profile', 'tokenizer', 'window', 'questionBudget', 'chunk', 'memory', 'output'],
  ...['exact', 'temperature', 'topP', 'seed', 'sources'],
]
/** A change would make it another memory. */
const ofTheMemory = ['question', 'workflow']
/** Belong to one command. */
const ofTheCommand = [
  ...['store', 'config', 'json', 'events', 'quiet', 'color', 'cache', 'maxCalls', 'maxCost'],
]
const notSettings = ['changeSettings', 'readChanged', 'verify', 'cache']
/** Apply to the texts of one reading: on later ones, they would silently leave texts out. */
const ofTheTexts = ['include', 'exclude', 'skipUnreadable', 'replaceInvalid']
/** Belong to a server, and not to another backend. */
const ofTheServer = ['baseUrl', 'apiKeyEnv', 'header']

const storedFlags = z.object({ flags: z.record(z.string(), z.unknown()), leftOut: z.array(z.string()) })

/**
 * The flags to read or ask with: those of the session, and those given now.
 * @param isGiven whether a flag was given now, rather than by default
 * @param mayDiffer another model or other sizes may be given
 * @throws UsageError for settings that the session was not begun with
 */
export function settledFlags(
  name: string,
  session: SessionSummary | undefined,
  flags: SessionFlags,
  isGiven: IsGiven,
  mayDiffer: boolean,
): SessionFlags {
  const present = withAbsolutePaths(flags)
  if (!session) return present
  const { flags: stored, leftOut } = storedFlagsOf(session)
  const isOtherModel = isGiven('model') && !isSame(present, stored, 'model')
  const isOther = isOtherModel && backendOf(present.model) !== backendOf(stored.model)
  const kept = without(stored, [
    ...ofTheTexts,
    ...(isOther ? ofTheServer : []),
    ...(isOtherModel ? prices.map((name) => settableOptions.get(name)!.attributeName()) : []),
  ])
  const all = { ...kept, question: session.question, workflow: kept.workflow ?? session.workflow }
  const given = Object.entries(present).filter(([flag]) => isGiven(flag))
  const differing = (names: readonly string[]) =>
    given.map(([flag]) => flag).filter((flag) => names.includes(flag) && !isSame(present, all, flag))
  const others = [...differing(ofTheMemory), ...(mayDiffer ? [] : differing(ofTheModel))]
  if (others.length > 0) throw otherSettings(session, others, { kept: all, flags })
  const configured = isSameServer(present, kept) ? { header: flags.header, apiKeyEnv: flags.apiKeyEnv } : {}
  const ofNow = Object.entries(present).filter(([flag]) => ofTheCommand.includes(flag))
  const settled = { ...configured, ...all, ...Object.fromEntries([...ofNow, ...given]) } as SessionFlags
  if (!isOther) requireKept(name, leftOut, settled)
  return settled
}

/** The text flags of the last reading, for resuming it. */
export function textFlagsOf(session: SessionSummary): TextFlags {
  const { flags } = storedFlagsOf(session)
  return Object.fromEntries(
    Object.entries(flags).filter(([flag]) => [...ofTheTexts, 'loader'].includes(flag)),
  )
}

/** @throws UsageError for a session that a server reads into */
function storedFlagsOf({ name, settings }: SessionSummary) {
  const { success, data } = storedFlags.safeParse(settings)
  if (success) return data
  throw new UsageError({
    code: 'session/of-server',
    message: `The session ${name} was begun through memagent serve, which has its texts.`,
    hint: `Start the server, and read into it or ask it there: POST /api/sessions/${encodeURIComponent(name)}/read, or /ask`,
    details: { name },
  })
}

const without = (flags: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(flags).filter(([flag]) => !names.includes(flag)))

const backendOf = (model: unknown) =>
  model === undefined ? undefined : parseModelSpec(String(model), backends).backend

const isSame = (one: object, other: object, flag: string): boolean =>
  String(one[flag as never]) === String(other[flag as never])

/** Configured headers and keys must not be sent to another server. */
const isSameServer = (one: Partial<SessionFlags>, other: Partial<SessionFlags>): boolean =>
  isSame(one, other, 'model') && isSame(one, other, 'baseUrl')

function requireKept(name: string, leftOut: readonly string[], flags: SessionFlags): void {
  const missing = leftOut.filter(
    (option) => !((option === '--header' && flags.header) || (option === '--base-url' && flags.baseUrl)),
  )
  if (missing.length === 0) return
  throw new UsageError({
    code: 'cli/not-kept',
    message: `The session ${name} was begun with ${missing.join(' and ')}, which is not kept, since it may contain secrets.`,
    hint: 'Give it again.',
    details: { name },
  })
}

function otherSettings(
  { name, unfinished }: SessionSummary,
  differing: readonly string[],
  { kept, flags }: { readonly kept: object; readonly flags: SessionFlags },
): UsageError {
  const settings = differing.map((flag) => {
    const value = kept[flag as never] as unknown
    return `${optionOf(flag)} was ${value === undefined ? 'not given' : String(value)}`
  })
  const canChange = differing.every((flag) => ofTheModel.includes(flag))
  const goOn = `memagent session read ${quoted(name)}${storeArgument(flags)}`
  return new UsageError({
    code: 'session/other-settings',
    message: `The session ${name} was begun with other settings: ${settings.join('; ')}.`,
    hint: !canChange
      ? 'Leave them out to go on as before, or begin another session: a memory is kept for one question, by one workflow.'
      : unfinished !== undefined
        ? `A reading was stopped, which ends as it began. Let it go on first: ${goOn}`
        : 'Leave them out to go on as before. To go on with these, add --change-settings; or begin another session.',
    details: { name, differing },
  })
}

/** The settings that a reading stores, and the next one continues with. @param input the kept standard input */
export async function keptSettings(flags: SessionFlags, session: string, input: string | undefined) {
  const kept = await settingsOf([], without({ ...flags }, [...notSettings, 'question']), input)
  return storedSettings({ ...kept, ...{ session } })
}

/** The session that a run reads into. */
export function sessionOfRun(settings: unknown): string | undefined {
  const { session } = (settings ?? {}) as { readonly session?: unknown }
  return typeof session === 'string' ? session : undefined
}

/** A session can be continued from any folder. */
function withAbsolutePaths(flags: SessionFlags): SessionFlags {
  const { profile, tokenizer, prompts, workflow, model, loader } = flags
  return {
    ...flags,
    ...(profile !== undefined && { profile: resolve(profile) }),
    ...(loader !== undefined && { loader: loader.map((path) => resolve(path)) }),
    ...(tokenizer !== undefined && { tokenizer: resolve(tokenizer) }),
    ...(prompts !== undefined && isPromptFile(prompts) && { prompts: resolve(prompts) }),
    ...(workflow !== undefined && isModulePath(workflow) && { workflow: resolve(workflow) }),
    ...(model !== undefined && { model: absoluteModel(model) }),
  }
}

function absoluteModel(model: string): string {
  const { backend, target } = parseModelSpec(model, backends)
  if (backend === 'module') return target.startsWith('.') ? resolve(target) : target
  return backend === 'gguf' || backend === 'embedded' ? `${backend}:${resolve(target)}` : model
}
