/** Official clients of both generations of the Model Context Protocol, and how the documentation says to start one. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createStubServer, type StubServer } from '@memagent/core/testing'
import { Client, type StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'

export const tools = ['ask_documents', 'read_into_session', 'ask_session', 'get_result', 'show_evidence']
export type Reply = Readonly<Record<string, unknown>>
export interface Session {
  readonly tools: readonly string[]
  call(name: string, args: object, options?: CallOptions): Promise<Reply>
  close(): Promise<void>
}
interface CallOptions {
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void
  readonly signal?: AbortSignal
}

/** The documented settings for standard input and output, and for HTTP. */
export async function documented() {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/serve.md'), 'utf8')
  const [stdio, http] = [...page.matchAll(/^\{ "mcpServers": .*\}$/gm)].map(
    ([json]) => JSON.parse(json).mcpServers.memagent,
  )
  return { stdio, http }
}

const replyOf = (result: unknown): Reply => {
  const { isError, content, structuredContent } = result as {
    isError?: boolean
    content: { text: string }[]
    structuredContent?: Reply
  }
  const { text } = content[0]!
  if (isError) return { isError, text }
  // The text and the structured content are the same.
  expect(JSON.parse(text)).toEqual(structuredContent)
  expect(structuredContent!.notice).toMatch(/not instructions/)
  return structuredContent!
}

export const generations = { '2025': 'legacy', '2026': { pin: '2026-07-28' } } as const
export type Generation = keyof typeof generations

export async function connectedBy(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  generation: Generation,
): Promise<Session> {
  const versionNegotiation = { mode: generations[generation] }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toMatch(generation)
  return {
    tools: (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, given = {}) =>
      replyOf(await client.callTool({ name, arguments: { ...args } }, given)),
    close: () => client.close(),
  }
}

export const question = 'When does Gate North open?'

/** A server whose model notes when Gate North opens. */
export const createGateServer = (onCall: () => unknown = () => undefined): Promise<StubServer> =>
  createStubServer({
    respond: async ({ messages }) => {
      await onCall()
      // If the model replied at once, the progress of several steps would be reported together.
      await setTimeout(20)
      const prompt = messages.at(-1)!.content
      const found = /Gate North opens at \d+\./.exec(prompt)?.[0]
      if (prompt.includes('<section>')) return found ?? 'No previous memory'
      return found ? `\\boxed{${/\d+/.exec(found)}}` : '\\boxed{not in the text}'
    },
  })

export const modelOptionsOf = (server: StubServer) => [
  '--model',
  'openai:stub',
  '--base-url',
  server.baseUrl,
  '--chunk',
  '60',
]
/** The command from its sources. */
export const memagent = [
  '--conditions=@memagent/source',
  resolve(import.meta.dirname, '../../packages/cli/src/bin.ts'),
]
