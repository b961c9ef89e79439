import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadTrainingState, saveTrainingState } from './embedded-state.ts'

const temporary = temporaryFolder(beforeAll, afterAll)

it('a kill at any moment of saving leaves a complete state', async () => {
  const folder = temporary.join('state')
  const shapes = new Map([['a', [1]]])
  const save = (step: number, to = folder) => {
    const values = () => new Map([['a', Float32Array.of(step)]])
    return saveTrainingState(to, { weights: values(), optimizer: { step, m: values(), v: values() } }, shapes)
  }
  const found = async () => {
    const { weights, optimizer } = await loadTrainingState(folder)
    expect(weights.get('a')).toEqual(Float32Array.of(optimizer.step))
    return optimizer.step
  }
  await save(1)
  // While the new state is written.
  await mkdir(`${folder}.next`)
  expect(await found()).toBe(1)
  // Once it is complete.
  await rm(`${folder}.next`, { recursive: true })
  await save(2, `${folder}.next`)
  expect(await found()).toBe(1)
  // Between the renames.
  await rename(folder, `${folder}.last`)
  expect(await found()).toBe(2)
  // While the next save deletes the last state.
  await rm(join(`${folder}.last`, 'state.json'))
  expect(await found()).toBe(2)
})
