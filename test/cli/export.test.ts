/** `memagent export` and `memagent train average`: models written for others and from others, and read again. */
import { cp, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { loadModelFolder } from '@memagent/engine'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeEach, afterEach)

/** Byte by byte: `toEqual` would take a minute for four million numbers. */
const sameNumbers = (these: Float32Array | undefined, those: Float32Array) =>
  these !== undefined &&
  Buffer.from(these.buffer, these.byteOffset, these.byteLength).equals(
    Buffer.from(those.buffer, those.byteOffset, those.byteLength),
  )

it('writes a folder with another storage type, the same numbers, and says what is wrong', {
  timeout: 60_000,
}, async () => {
  const { code } = await runCommand(['export', 'folder', 'models/nano', folder.join('wide'), '--type', 'F32'])
  expect(code).toBe(0)
  const [before, after] = [await loadModelFolder('models/nano'), await loadModelFolder(folder.join('wide'))]
  expect(after.config).toEqual(before.config)
  expect(after.tokenizerJson).toEqual(before.tokenizerJson)
  expect(after.profile).toEqual(before.profile)
  for (const [name, values] of before.weights)
    expect(sameNumbers(after.weights.get(name), values), name).toBe(true)

  expect((await runCommand(['export', 'gguf', 'models/nano', folder.join('nano.gguf')])).code).toBe(0)
  expect((await stat(folder.join('nano.gguf'))).size).toBeGreaterThan(5e6)
  // Where `--model gguf:` looks for it.
  expect(JSON.parse(await readFile(folder.join('nano.profile.json'), 'utf8'))).toEqual(before.profile)

  const again = await runCommand(['export', 'folder', 'recipes/nano/supervised', folder.join('wide')])
  expect(again.stderr).toMatch(/wide holds a model, which would be replaced\.\n.*remove it first/)
  expect(again.code).toBe(2)

  const wrong = await runCommand(['export', 'folder', folder.join('absent'), folder.join('to')])
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/absent is not a complete model folder/)
})

it('writes no GGUF file over the model itself, a folder or a link, and no folder over the one it reads', {
  timeout: 60_000,
}, async () => {
  await cp('models/nano', folder.join('nano'), { recursive: true })
  const weights = folder.join('nano', 'model.safetensors')
  const before = await readFile(weights)
  await symlink(weights, folder.join('link.gguf'))
  for (const [target, message] of [
    [weights, /belongs to the model/],
    [folder.join('nano'), /nano is a folder/],
    [folder.join('link.gguf'), /is no plain file/],
    [folder.join('absent', 'nano.gguf'), /Cannot write .*absent/],
  ] as const) {
    const { code, stderr } = await runCommand(['export', 'gguf', folder.join('nano'), target])
    expect(stderr).toMatch(message)
    expect(stderr).toContain('(engine/gguf-target)')
    expect(code).toBe(1)
  }
  await symlink('nano', folder.join('same'))
  const { code, stderr } = await runCommand(['export', 'folder', folder.join('nano'), folder.join('same')])
  expect(stderr).toContain('(cli/same-folder)')
  expect(code).toBe(2)
  expect(before.equals(await readFile(weights))).toBe(true)
  expect(await readdir(folder.path)).toEqual(['link.gguf', 'nano', 'same'])
})

it('averages models that belong together, and names one that does not', { timeout: 60_000 }, async () => {
  const to = folder.join('mean')
  const { code, stderr } = await runCommand([
    'train',
    'average',
    to,
    'models/nano',
    'recipes/nano/supervised',
  ])
  expect(stderr).toContain('the mean of 2 models')
  expect(code).toBe(0)
  const [mean, ...models] = await Promise.all(
    [to, 'models/nano', 'recipes/nano/supervised'].map((one) => loadModelFolder(one)),
  )
  const name = 'model.embed_tokens.weight'
  const [one, other] = models.map(({ weights }) => weights.get(name)![5]!)
  expect(mean!.weights.get(name)![5]).toBeCloseTo((one! + other!) / 2, 6)
  const wrong = await runCommand(['train', 'average', to, 'models/nano', folder.join('absent')])
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/absent is not a complete model folder/)
})
