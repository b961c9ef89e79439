/**
 * Server and key from environment variables, passed in as a record: nothing below the command line reads `process.env` itself.
 * memagent's own variables win over OpenAI's, and a key is sent only to the server it was set for: `MEMAGENT_API_KEY` to the
 * server of `MEMAGENT_BASE_URL`, or to the chosen one if that is not set; `OPENAI_API_KEY` to OpenAI's or that of
 * `OPENAI_BASE_URL`.
 */
import { ConfigurationError } from '../errors.ts'

export interface ServerEnvironment {
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

export const openAIBaseUrl = 'https://api.openai.com/v1'

/**
 * Empty variables count as absent.
 * @param baseUrl given by the user; wins over the variables
 * @param modelUrl the model's server, if it is another one: `MEMAGENT_API_KEY` is for that one, unless `MEMAGENT_BASE_URL` is set
 */
export function serverFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  baseUrl?: string,
  modelUrl?: string,
): ServerEnvironment {
  const read = (name: `${'MEMAGENT' | 'OPENAI'}_${'BASE_URL' | 'API_KEY'}`) =>
    environment[name]?.trim() || undefined
  const [ownUrl, openAIUrl] = [read('MEMAGENT_BASE_URL'), read('OPENAI_BASE_URL') ?? openAIBaseUrl]
  const chosen = baseUrl ?? ownUrl ?? openAIUrl
  const ownKey = isSameServer(chosen, ownUrl ?? modelUrl ?? chosen) ? read('MEMAGENT_API_KEY') : undefined
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

/**
 * Reads Ollama's own variable: a host, a port after a colon, both, or a URL. An address to listen on is also one to connect to.
 * @throws ConfigurationError for anything else
 */
export function ollamaUrlFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const given = environment.OLLAMA_HOST?.trim()
  if (given === undefined || given === '') return undefined
  const [, scheme = 'http', rest = ''] = /^(?:(https?):\/\/)?(.*)$/i.exec(given)!
  const [, authority = '', path = ''] = /^([^/]*)(.*)$/.exec(rest)!
  // An IPv6 address, with or without brackets, has colons of its own.
  const isBare = authority.split(':').length > 2 && !authority.startsWith('[')
  const [, host = '', port = ''] = isBare ? ['', `[${authority}]`] : /^(.*?)(?::(\d*))?$/.exec(authority)!
  const usualPort = given.includes('://') ? '' : ':11434'
  const url = `${scheme.toLowerCase()}://${host || 'localhost'}${port ? `:${port}` : usualPort}${path}`
  if (!URL.canParse(url)) {
    throw new ConfigurationError({
      code: 'chat/base-url',
      message: `The environment variable OLLAMA_HOST is ${JSON.stringify(given)}, which is no host, port or URL.`,
      hint: 'Set it to a host such as localhost:11434, or unset it.',
    })
  }
  return url.replace(/\/+$/, '').replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, '//127.0.0.1')
}
