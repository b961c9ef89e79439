/** What a run of the server keeps, so that a restarted server goes on with it. */
import { basename, isAbsolute } from 'node:path'
import { type Json, type RunSummary, StoreError } from '@memagent/store'
import { z } from 'zod'
import type { Owner } from '../safety/keys.ts'

const serverSettings = z.object({
  /** The name of the key that began it; undefined: no keys were needed. */
  owner: z.string().optional(),
  files: z.array(z.object({ id: z.string(), filename: z.string() })),
  /** As clients call it. */
  model: z.string(),
  workflow: z.string(),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  /** Nothing is read: the memory of this run is asked; of several questions, that of one, from 1. */
  memoryOf: z.object({ run: z.string(), question: z.int().optional() }).optional(),
  /** It is this reading of a session, from 1. */
  readsInto: z.object({ session: z.string(), reading: z.int() }).optional(),
  /** Nothing is read: the memory of this session is asked. */
  asksSession: z.string().optional(),
  /** What there is to say of its texts. */
  remarks: z.array(z.string()).optional(),
})

const conversationOf = z.object({
  owner: z.string().optional(),
  /** Of the request: `/v1/chat/completions`. */
  route: z.string(),
})

export type ServerSettings = z.infer<typeof serverSettings>

export const storedSettings = (server: ServerSettings): Json => ({ server }) as unknown as Json

/** Undefined for a run that the run API did not begin. */
export const settingsOf = ({ settings }: Pick<RunSummary, 'settings'>): ServerSettings | undefined =>
  serverSettings.safeParse((settings as { readonly server?: unknown } | undefined)?.server).data

/** Of the reading of a conversation, which only the same request goes on with. */
type ConversationSettings = z.infer<typeof conversationOf>

export const conversationSettings = (conversation: ConversationSettings): Json =>
  ({ conversation }) as unknown as Json

/** The route whose requests read it; undefined for a run that no request with a conversation began. */
export const routeOf = (run: Pick<RunSummary, 'settings'>): string | undefined => conversationIn(run)?.route

const conversationIn = ({ settings }: Pick<RunSummary, 'settings'>): ConversationSettings | undefined =>
  conversationOf.safeParse((settings as { readonly conversation?: unknown } | undefined)?.conversation).data

/** As commands keep them with a reading into a session. */
const commandSettings = z.object({
  remarks: z.array(z.object({ source: z.string(), message: z.string() })),
})

/** What was to be said of the texts of readings holds for answers from their memory, too. */
export function remarksOn(
  readings: readonly Pick<RunSummary, 'settings'>[],
): Pick<ServerSettings, 'remarks'> {
  const remarks = new Set(readings.flatMap(remarksOf))
  return remarks.size > 0 ? { remarks: [...remarks] } : {}
}

function remarksOf(reading: Pick<RunSummary, 'settings'>): readonly string[] {
  const server = settingsOf(reading)
  if (server) return server.remarks ?? []
  const { remarks = [] } = commandSettings.safeParse(reading.settings).data ?? {}
  // Its folder is nobody's business.
  return remarks.map(({ source, message }) => message.replaceAll(source, basename(source)))
}

export const isOpenTo = (owner: Owner, run: Pick<RunSummary, 'settings'>): boolean =>
  owner === undefined || (settingsOf(run) ?? conversationIn(run))?.owner === owner

/** As of a server that is about to stop: the run goes on by itself when it is there again. */
export const interrupted = {
  code: 'interrupted',
  message: 'What read it was stopped.',
}

/** By whoever began it: it goes on when it is resumed. */
export const cancelled = { code: 'cancelled', message: 'The run was cancelled.' }

/** Nothing keeps it from being read: it waits for a server to go on with it. */
export const goesOn = (run: RunSummary): boolean =>
  run.state === 'unfinished' &&
  settingsOf(run) !== undefined &&
  (run.failure === undefined || run.failure.code === interrupted.code)

/** Its files are paths, of a program of this machine that goes on with it when it is asked to: no server does. */
export const readsPaths = (run: Pick<RunSummary, 'settings'>): boolean =>
  settingsOf(run)?.files.some(({ id }) => isAbsolute(id)) ?? false

export const isUnknownRun = (error: unknown): boolean =>
  StoreError.isInstance(error) && /^store\/(no|ambiguous)-run$/.test(error.code)
