/** Models and servers for tests. */
import {
  createScriptedModel,
  overwrite,
  type Script,
  type ScriptedModel,
  type Workflow,
} from '@memagent/core'
import { type AppOptions, createApp, createAppWithRuns } from '../app.ts'
import type { ServedModel } from '../served-model.ts'
import { requireDescribed } from './described.ts'

/** A small window, so that short texts are read in several chunks. */
export const smallBudget = { window: 700, question: 40, chunk: 60, memory: 40, output: 40 }

export function servedModel(
  script: Script,
  profile: Partial<ServedModel['profile']> = {},
): ServedModel & { readonly model: ScriptedModel } {
  const model = createScriptedModel(script, { name: 'scripted' })
  return {
    id: 'reader',
    model,
    profile: { name: 'small', budget: smallBudget, ...profile },
    workflow: overwrite as unknown as Workflow,
  }
}

/** Notes every sentence about a key, and answers with what it noted. */
export const noter: Script = ({ messages }) => {
  const prompt = messages.at(-1)!.content
  const found = /The key is (\d+)/.exec(prompt)?.[1]
  if (/\\boxed/.test(prompt)) return found ? `\\boxed{${found}}` : '\\boxed{not in the text}'
  return found ? `The key is ${found}.` : 'Nothing yet.'
}

/** Like `noter`, until this call, which never ends by itself. */
export function noterUntil(stop: number) {
  let calls = 0
  const [stopped, onStop] = promiseOf()
  const served = servedModel((call) => {
    if (++calls < stop) return (noter as (of: typeof call) => string)(call)
    onStop()
    return new Promise<string>(() => undefined)
  })
  return { served, stopped }
}

/** A text with this many words, and the key in the middle. */
export const longText = (words: number, key = '48213'): string => {
  const filler = Array.from({ length: words }, (_, i): string => (i % 12 === 11 ? 'sea.' : 'calm'))
  filler.splice(Math.floor(words / 2), 0, `. The key is ${key}.`)
  return filler.join(' ')
}

export interface Asked {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into.
  readonly body: any
}

/** A client of the app, without a socket. */
export function clientOf(models: readonly ServedModel[], options: Partial<AppOptions> = {}) {
  const app = createApp({ models, ...options })
  return {
    app,
    async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Asked> {
      const response = await app.request(`http://localhost${path}`, {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: parsed(text) }
    },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The `data:` of a stream, in order. */
// biome-ignore lint/suspicious/noExplicitAny: what a test looks into.
export const dataOf = (stream: string): any[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice(6)))

/** A model whose call never ends by itself, and tells when it was asked and when it was aborted. */
export function hangingModel() {
  const [asked, onAsked] = promiseOf()
  const [givenUp, onGivenUp] = promiseOf()
  const served = servedModel(({ options }) => {
    options.signal!.addEventListener('abort', onGivenUp)
    onAsked()
    return new Promise<string>(() => undefined)
  })
  return { served, asked, givenUp }
}

function promiseOf(): [Promise<void>, () => void] {
  let settle: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    settle = resolve
  })
  return [promise, settle]
}

/** A client of the run API without a socket, which checks that every reply is as described. @param headers of every request */
export function apiOf(
  models: readonly ServedModel[],
  options: Partial<AppOptions> = {},
  headers: Record<string, string> = {},
) {
  const { app, runs, routes } = createAppWithRuns({ models, ...options })
  const ask = async (method: string, path: string, init: RequestInit = {}): Promise<Asked> => {
    const response = await app.request(`http://localhost${path}`, {
      method,
      ...init,
      headers: { host: 'localhost', ...headers, ...(init.headers as Record<string, string>) },
    })
    const text = await response.text()
    const asked = { status: response.status, headers: response.headers, body: parsed(text) }
    requireDescribed(routes, method, path, asked)
    return asked
  }
  return {
    app,
    runs: runs!,
    get: (path: string, more: Record<string, string> = {}) => ask('GET', path, { headers: more }),
    delete: (path: string) => ask('DELETE', path),
    post: (path: string, body: unknown = {}) =>
      ask('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    async upload(name: string, content: string | Uint8Array<ArrayBuffer>, purpose = 'user_data') {
      const form = new FormData()
      form.set('file', new File([content], name))
      form.set('purpose', purpose)
      const { status, body } = await ask('POST', '/v1/files', { body: form })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body as { readonly id: string; readonly bytes: number; readonly filename: string }
    },
    /** The run, once it is no longer read. */
    async ended(id: string) {
      await ask('GET', `/api/runs/${id}/events`)
      return (await ask('GET', `/api/runs/${id}`)).body
    },
  }
}
