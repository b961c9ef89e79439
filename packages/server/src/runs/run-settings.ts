/** What a run of the server keeps, so that a restarted server can continue it. */
import { basename, isAbsolute } from 'node:path'
import { type Json, type RunSummary, StoreError } from '@memagent/store'
import { z } from 'zod'
import type { Owner } from '../safety/keys.ts'

const serverSettings = z.object({
  /** The name of the key that began it; undefined if no keys were needed. */
  owner: z.string().optional(),
  files: z.array(z.object({ id: z.string(), filename: z.string() })),
  /** The id that clients use. */
  model: z.string(),
  workflow: z.string(),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  /** Nothing is read: asks the memory of this run; with several questions, that of one of them, from 1. */
  memoryOf: z.object({ run: z.string(), question: z.int().optional() }).optional(),
  /** This reading of a session, from 1. */
  readsInto: z.object({ session: z.string(), reading: z.int() }).optional(),
  /** Nothing is read: asks the memory of this session. */
  asksSession: z.string().optional(),
  /** Remarks on its texts. */
  remarks: z.array(z.string()).optional(),
})

const conversationOf = z.object({
  owner: z.string().optional(),
  /** Path of the request: `/v1/chat/completions`. */
  route: z.string(),
})

export type ServerSettings = z.infer<typeof serverSettings>

export const storedSettings = (server: ServerSettings): Json => ({ server }) as unknown as Json

/** Undefined for a run that was not begun by the run API. */
export const settingsOf = ({ settings }: Pick<RunSummary, 'settings'>): ServerSettings | undefined =>
  serverSettings.safeParse((settings as { readonly server?: unknown } | undefined)?.server).data

/** Of the reading of a conversation, which only the same request continues. */
type ConversationSettings = z.infer<typeof conversationOf>

export const conversationSettings = (conversation: ConversationSettings): Json =>
  ({ conversation }) as unknown as Json

/** The route whose requests read it; undefined if no request with a conversation began the run. */
export const routeOf = (run: Pick<RunSummary, 'settings'>): string | undefined => conversationIn(run)?.route

const conversationIn = ({ settings }: Pick<RunSummary, 'settings'>): ConversationSettings | undefined =>
  conversationOf.safeParse((settings as { readonly conversation?: unknown } | undefined)?.conversation).data

/** Settings that commands keep with a reading into a session. */
const commandSettings = z.object({
  remarks: z.array(z.object({ source: z.string(), message: z.string() })),
})

/** Remarks on the texts of readings also apply to answers from their memory. */
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
  // The folder is private.
  return remarks.map(({ source, message }) => message.replaceAll(source, basename(source)))
}

export const isOpenTo = (owner: Owner, run: Pick<RunSummary, 'settings'>): boolean =>
  owner === undefined || (settingsOf(run) ?? conversationIn(run))?.owner === owner

/** The server stopped: the run continues by itself when a server is back. */
export const interrupted = {
  code: 'interrupted',
  message: 'What read it was stopped.',
}

/** Cancelled by its owner: it continues when it is resumed. */
export const cancelled = { code: 'cancelled', message: 'The run was cancelled.' }

/** Whether it waits for a server to continue it, since nothing else keeps it from being read. */
export const goesOn = (run: RunSummary): boolean =>
  run.state === 'unfinished' &&
  settingsOf(run) !== undefined &&
  (run.failure === undefined || run.failure.code === interrupted.code)

/** Whether its files are paths: then only a program on this machine continues it, when asked to, and no server. */
export const readsPaths = (run: Pick<RunSummary, 'settings'>): boolean =>
  settingsOf(run)?.files.some(({ id }) => isAbsolute(id)) ?? false

export const isUnknownRun = (error: unknown): boolean =>
  StoreError.isInstance(error) && /^store\/(no|ambiguous)-run$/.test(error.code)
