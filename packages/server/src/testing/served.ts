/** Models and servers for tests. */
import {
  createScriptedModel,
  overwrite,
  type Script,
  type ScriptedModel,
  type Workflow,
} from '@memagent/core'
import { type AppOptions, createApp } from '../app.ts'
import type { ServedModel } from '../served-model.ts'

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

/** Of so many words, with the key in the middle. */
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

/** A model whose call never ends by itself, and says when it was asked and when it was given up. */
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
