import { readFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profileOf } from './profile-file.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const nano = new URL('../../../models/nano/profile.json', import.meta.url)
const { name, prompts, budget } = JSON.parse(readFileSync(nano, 'utf8'))
const nanoProfile = { name, prompts, budget }

describe('the profile of a model without its own', () => {
  it('is the one beside a GGUF file, or the named one', async () => {
    await copyFile(nano, folder.join('model.profile.json'))
    expect(await profileOf(`gguf:${folder.join('model.gguf')}`, undefined)).toMatchObject(nanoProfile)
    expect(await profileOf('openai:large', folder.join('model.profile.json'))).toMatchObject(nanoProfile)
  })

  it('is undefined if there is no file', async () => {
    expect(await profileOf(`gguf:${folder.join('other.gguf')}`, undefined)).toBeUndefined()
    expect(await profileOf('openai:large', undefined)).toBeUndefined()
  })

  it('is rejected with an error that names file and field', async () => {
    await writeFile(folder.join('wrong.profile.json'), '{ "name": "wrong", "budget": { "window": -1 } }')
    await writeFile(folder.join('null.json'), 'null')
    await writeFile(folder.join('broken.json'), '{')
    const gguf = `gguf:${folder.join('wrong.gguf')}`
    await expect(profileOf(gguf, undefined)).rejects.toThrow(
      /wrong\.profile\.json is not a model profile: budget\.window cannot be -1/,
    )
    await expect(profileOf(gguf, folder.join('null.json'))).rejects.toThrow(
      /null\.json is not a model profile/,
    )
    await expect(profileOf(gguf, folder.join('broken.json'))).rejects.toThrow(/broken\.json cannot be read/)
    await expect(profileOf(gguf, folder.join('absent.json'))).rejects.toThrow(/absent\.json cannot be read/)
  })

  it('does not replace the one in a model folder', async () => {
    await expect(profileOf('embedded:models/nano', 'any.json')).rejects.toThrow(/brings its own profile/)
  })
})
