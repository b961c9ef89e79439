/**
 * Server and key from environment variables. The record is passed in: nothing below the command line reads
 * `process.env` itself. memagent's own variables win over OpenAI's, and a key is sent only to the server it was set for:
 * `MEMAGENT_BASE_URL` receives `OPENAI_API_KEY` only if `MEMAGENT_API_KEY` is absent and both URLs agree.
 */
export interface ServerEnvironment {
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

export const openAIBaseUrl = 'https://api.openai.com/v1'

/** Variables that `serverFromEnvironment` reads. */
export const environmentVariables = [
  'MEMAGENT_BASE_URL',
  'MEMAGENT_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
] as const

/** @param baseUrl given by the user; wins over the variables. Empty variables count as absent. */
export function serverFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  baseUrl?: string,
): ServerEnvironment {
  const read = (name: (typeof environmentVariables)[number]) => environment[name]?.trim() || undefined
  const openAIUrl = read('OPENAI_BASE_URL') ?? openAIBaseUrl
  const chosen = baseUrl ?? read('MEMAGENT_BASE_URL') ?? openAIUrl
  const ownKey = read('MEMAGENT_API_KEY')
  return {
    baseUrl: chosen,
    apiKey: ownKey ?? (isSameServer(chosen, openAIUrl) ? read('OPENAI_API_KEY') : undefined),
  }
}

function isSameServer(one: string, other: string): boolean {
  try {
    return new URL(one).origin === new URL(other).origin
  } catch {
    return one === other
  }
}

/** Ollama's own variable: a host, a host with a port, or a URL; an address to listen on is also one to connect to. */
export function ollamaUrlFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const host = environment.OLLAMA_HOST?.trim()
  if (host === undefined || host === '') return undefined
  const url = /^https?:\/\//.test(host) ? host : `http://${/:\d+$/.test(host) ? host : `${host}:11434`}`
  return url.replace('//0.0.0.0', '//127.0.0.1')
}
