import { expect, test } from 'vitest'
import { ollamaUrlFromEnvironment, serverFromEnvironment } from './environment.ts'

test('falls back to OpenAI and its key', () => {
  expect(serverFromEnvironment({ OPENAI_API_KEY: 'k' })).toEqual({
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'k',
  })
})

test("memagent's own variables win", () => {
  const environment = {
    MEMAGENT_BASE_URL: 'http://localhost:8000/v1',
    MEMAGENT_API_KEY: 'own',
    OPENAI_BASE_URL: 'http://elsewhere/v1',
    OPENAI_API_KEY: 'other',
  }
  expect(serverFromEnvironment(environment)).toEqual({ baseUrl: 'http://localhost:8000/v1', apiKey: 'own' })
})

test('a key meant for OpenAI is not sent to another server', () => {
  const environment = { OPENAI_API_KEY: 'secret' }
  expect(serverFromEnvironment(environment, 'http://localhost:11434/v1').apiKey).toBeUndefined()
  expect(serverFromEnvironment({ ...environment, OPENAI_BASE_URL: 'http://localhost:11434/v1' }).apiKey).toBe(
    'secret',
  )
  expect(serverFromEnvironment({ ...environment, OPENAI_BASE_URL: 'no url' }).apiKey).toBe('secret')
})

test("memagent's own key is not sent to another server than the one it was set for", () => {
  const environment = {
    MEMAGENT_BASE_URL: 'https://corp.example/v1',
    MEMAGENT_API_KEY: 'own',
    OPENAI_API_KEY: 'other',
  }
  const keyAt = (baseUrl: string) => serverFromEnvironment(environment, baseUrl).apiKey
  expect(keyAt('http://localhost:8000/v1')).toBeUndefined()
  expect(keyAt('https://corp.example/other')).toBe('own')
  expect(keyAt('https://api.openai.com/v1')).toBe('other')
  // For a server besides that of the model.
  const keys = { MEMAGENT_API_KEY: 'own', OPENAI_API_KEY: 'other' }
  expect(serverFromEnvironment(keys, undefined, 'http://localhost:8000/v1').apiKey).toBe('other')
  expect(serverFromEnvironment(keys, 'http://localhost:8000/v2', 'http://localhost:8000/v1').apiKey).toBe(
    'own',
  )
  expect(serverFromEnvironment(keys, 'http://localhost:8000/v1').apiKey).toBe('own')
})

test('an empty variable counts as absent', () => {
  expect(serverFromEnvironment({ MEMAGENT_BASE_URL: ' ', OPENAI_API_KEY: '' })).toEqual({
    baseUrl: 'https://api.openai.com/v1',
    apiKey: undefined,
  })
})

test.each([
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['gpu-box:8080', 'http://gpu-box:8080'],
  ['https://ollama.example', 'https://ollama.example'],
  ['HTTP://ollama.example/', 'http://ollama.example'],
  ['localhost:9101/', 'http://localhost:9101'],
  ['127.0.0.1:', 'http://127.0.0.1:11434'],
  [':9101', 'http://localhost:9101'],
  ['::1', 'http://[::1]:11434'],
  ['[::]:9101', 'http://127.0.0.1:9101'],
  ['http://0.0.0.0', 'http://127.0.0.1'],
  ['', undefined],
])("Ollama's own variable: %s", (host, url) => {
  expect(ollamaUrlFromEnvironment({ OLLAMA_HOST: host })).toBe(url)
})

test('what is no host is told by the name of the variable', () => {
  const refused = () => ollamaUrlFromEnvironment({ OLLAMA_HOST: 'a b:1' })
  expect(refused).toThrow('OLLAMA_HOST is "a b:1"')
})
