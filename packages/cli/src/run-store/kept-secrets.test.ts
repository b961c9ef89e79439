/** No key in an address is kept, wherever it is. */
import { mayBeKept, withoutKeys } from '@memagent/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { settingsOf } from './run-settings.ts'

const secrets = fc.oneof(
  fc.uuid(),
  fc.base64String({ minLength: 8, maxLength: 40 }).map((text) => text.replace(/[/+=]/g, 'x')),
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 12, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 64 }),
)
const places = fc.constantFrom(
  (secret: string) => `https://api.example.com/${secret}/v1`,
  (secret: string) => `https://api.example.com/v1/${secret}`,
  (secret: string) => `https://api.example.com/v1?key=${secret}`,
  (secret: string) => `https://${secret}@api.example.com/v1`,
  (secret: string) => `https://user:${secret}@api.example.com/v1`,
  (secret: string) => `https://api.example.com/v1#${secret}`,
  (secret: string) => `https://api.example.com/v1;${secret}`,
)

it('keeps the usual addresses', () => {
  for (const address of [
    'http://localhost:8000/v1',
    'http://127.0.0.1:11434',
    'https://api.openai.com/v1/',
    'https://openrouter.ai/api/v1',
    'https://generativelanguage.googleapis.com/v1beta/openai',
  ]) {
    expect(mayBeKept(address), address).toBe(true)
    expect(withoutKeys(`Cannot reach ${address}.`)).toBe(`Cannot reach ${address}.`)
  }
})

it('keeps no secret of an address, in settings and in what ended a run', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, places, async (secret, addressWith) => {
      const address = addressWith(secret)
      const settings = await settingsOf([], { baseUrl: address, embeddingsUrl: address, seed: 3 }, undefined)
      expect(JSON.stringify(settings)).not.toContain(secret)
      expect(settings.leftOut).toEqual(['--base-url', '--embeddings-url'])
      expect(settings.flags).toEqual({ seed: 3 })
      const message = withoutKeys(`Cannot reach ${address}: refused, see "${address}/chat/completions".`)
      expect(message).not.toContain(secret)
      expect(message).toContain(': refused, see "https://api.example.com/...".')
    }),
  )
})
