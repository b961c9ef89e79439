import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { weightsOf } from './weights.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

it('are told apart by their content: in a folder, in a GGUF file, in all parts of one', async () => {
  await mkdir(folder.join('model'))
  await writeFile(folder.join('model/model.safetensors'), 'one')
  expect(await weightsOf(`embedded:${folder.join('model')}`)).toBe(digest('one'))
  const file = folder.join('model.gguf')
  await writeFile(file, 'one')
  expect(await weightsOf(`gguf:${file}`)).toBe(digest('one'))
  await writeFile(file, 'another')
  expect(await weightsOf(`gguf:${file}`)).toBe(digest('another'))
  for (const part of [1, 2]) await writeFile(folder.join(`split-0000${part}-of-00002.gguf`), `part ${part}. `)
  expect(await weightsOf(`gguf:${folder.join('split-00001-of-00002.gguf')}`)).toBe(digest('part 1. part 2. '))
})

it('of a server are unknown', async () => {
  expect(await weightsOf('openai:qwen')).toBeUndefined()
})
