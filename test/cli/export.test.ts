/** `memagent export` and `memagent train average`: models written for others and from others, and read again. */
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadModelFolder } from '@memagent/engine'
import { expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

it('writes a folder with another storage type, the same numbers, and says what is wrong', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'memagent-export-'))
  try {
    const { code } = await runCommand([
      'export',
      'folder',
      'models/nano',
      join(folder, 'wide'),
      '--type',
      'F32',
    ])
    expect(code).toBe(0)
    const [before, after] = [
      await loadModelFolder('models/nano'),
      await loadModelFolder(join(folder, 'wide')),
    ]
    expect(after.config).toEqual(before.config)
    expect(after.tokenizerJson).toEqual(before.tokenizerJson)
    expect(after.profile).toEqual(before.profile)
    for (const [name, values] of before.weights) expect(after.weights.get(name)).toEqual(values)

    expect((await runCommand(['export', 'gguf', 'models/nano', join(folder, 'nano.gguf')])).code).toBe(0)
    expect((await stat(join(folder, 'nano.gguf'))).size).toBeGreaterThan(5e6)
    // Where `--model gguf:` looks for it.
    expect(JSON.parse(await readFile(join(folder, 'nano.profile.json'), 'utf8'))).toEqual(before.profile)

    const again = await runCommand(['export', 'folder', 'recipes/nano/supervised', join(folder, 'wide')])
    expect(again.stderr).toMatch(/wide holds a model, which would be replaced\.\n.*remove it before/)
    expect(again.code).toBe(2)

    const wrong = await runCommand(['export', 'folder', join(folder, 'absent'), join(folder, 'to')])
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(/absent is not a complete model folder/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('writes no GGUF file over the model itself, a folder or a link, and no folder over the one it reads', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'memagent-export-'))
  try {
    await cp('models/nano', join(folder, 'nano'), { recursive: true })
    const weights = join(folder, 'nano', 'model.safetensors')
    const before = await readFile(weights)
    await symlink(weights, join(folder, 'link.gguf'))
    for (const [target, message] of [
      [weights, /belongs to the model/],
      [join(folder, 'nano'), /nano is a folder/],
      [join(folder, 'link.gguf'), /is no plain file/],
      [join(folder, 'absent', 'nano.gguf'), /Cannot write .*absent/],
    ] as const) {
      const { code, stderr } = await runCommand(['export', 'gguf', join(folder, 'nano'), target])
      expect(stderr).toMatch(message)
      expect(stderr).toContain('(engine/gguf-target)')
      expect(code).toBe(1)
    }
    await symlink('nano', join(folder, 'same'))
    const { code, stderr } = await runCommand([
      'export',
      'folder',
      join(folder, 'nano'),
      join(folder, 'same'),
    ])
    expect(stderr).toContain('(cli/same-folder)')
    expect(code).toBe(2)
    expect(before.equals(await readFile(weights))).toBe(true)
    expect(await readdir(folder)).toEqual(['link.gguf', 'nano', 'same'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('averages models that belong together, and names one that does not', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'memagent-average-'))
  try {
    const to = join(folder, 'mean')
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
    const wrong = await runCommand(['train', 'average', to, 'models/nano', join(folder, 'absent')])
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(/absent is not a complete model folder/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
