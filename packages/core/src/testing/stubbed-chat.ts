/** A chat model on a stub server, for tests of requests, replies and faults. */
import assert from 'node:assert/strict'
import type { ChatModel } from '../chat/chat.ts'
import { createOpenAICompatibleModel, type OpenAICompatibleOptions } from '../chat/openai-compatible.ts'
import { MemAgentError } from '../errors.ts'
import { createStubServer, type StubServer, type StubServerOptions } from './stub-server.ts'

export const user = (content: string) => [{ role: 'user' as const, content }]
export const call = { maxTokens: 16 }
export const key = 'sk-verysecret-0123456789'

let server: StubServer | undefined

/** Closes the stub server of the last `start`; call it after each test. */
export async function stop(): Promise<void> {
  await server?.close()
  server = undefined
}

/** A model on a stub server; waits between attempts take no time and are recorded. */
export async function start(
  stub: StubServerOptions = {},
  options: Partial<OpenAICompatibleOptions> = {},
): Promise<{ model: ChatModel; stub: StubServer; slept: number[] }> {
  server = await createStubServer(stub)
  const slept: number[] = []
  const model = createOpenAICompatibleModel({
    baseUrl: server.baseUrl,
    model: 'stub',
    timeoutMs: 5000,
    random: () => 0.5,
    sleep: async (ms) => void slept.push(ms),
    ...options,
  })
  return { model, stub: server, slept }
}

export async function failure(promise: Promise<unknown>): Promise<MemAgentError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof MemAgentError, `not an error of this project: ${error}`)
  return error
}
