/** `memagent models`: what is bundled, what can be named, what a server has. */
import { readFile } from 'node:fs/promises'
import { createStubServer } from '@memagent/core/testing'
import { describe, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

describe('models', { timeout: 60_000 }, () => {
  it('lists the bundled model and every backend', async () => {
    const { code, stdout } = await runCommand(['models', '--json'])
    expect(code).toBe(0)
    const { budget } = JSON.parse(
      await readFile(new URL('../../models/nano/profile.json', import.meta.url), 'utf8'),
    )
    expect(JSON.parse(stdout)).toMatchObject({
      bundled: { name: 'nano', window: budget.window },
      backends: expect.arrayContaining(['embedded', 'openai', 'ollama', 'gguf']),
      served: [],
    })
  })

  it('lists the models of a server with their windows', async () => {
    const server = await createStubServer({ models: ['small', 'large'], contextWindow: 8192 })
    const all = await runCommand(['models', '--base-url', server.baseUrl])
    const described = ['models', '--base-url', server.baseUrl, '--model']
    const one = await runCommand([...described, 'large', '--json'])
    const named = await runCommand([...described, 'openai:large', '--json'])
    const none = await runCommand([...described, 'huge'])
    await server.close()
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect(none.stderr).toMatch(/does not list the model huge\.\n {2}It lists small, large\./)
    expect(named.stdout).toBe(one.stdout)
    expect(all.stdout).toMatch(
      /openai:small, window of 8,192 tokens\n {2}openai:large, window of 8,192 tokens/,
    )
    expect(JSON.parse(one.stdout).served).toEqual([{ model: 'large', contextWindow: 8192 }])
  })

  it('fails clearly when there is no server', async () => {
    const server = await createStubServer({})
    await server.close()
    const { code, stderr } = await runCommand(['models', '--base-url', server.baseUrl])
    expect(code).toBe(1)
    expect(stderr).toMatch(/error: .*127\.0\.0\.1/)
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})
