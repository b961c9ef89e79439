import { StoreError } from '@memagent/store'
import { expect, it } from 'vitest'
import { questionsOf, settingsFrom } from './run-settings.ts'

it('says of a run that a server began where it can be resumed', () => {
  const settings = { server: { files: [], model: 'nano', workflow: 'overwrite' } }
  const read = () => settingsFrom({ id: '1a2b3c', settings })
  expect(read).toThrow(StoreError)
  expect(read).toThrow(/begun through memagent serve/)
})

it('says of the reading of a conversation that its request goes on with it', () => {
  const settings = { conversation: { owner: 'team-a', route: '/v1/messages' } }
  expect(() => settingsFrom({ id: '1a2b3c', settings })).toThrow(/only a request brings/)
})

it('says of a run without settings how it is continued', () => {
  expect(() => settingsFrom({ id: '1a2b3c', settings: undefined })).toThrow(/how to read it is not known/)
})

it('of a run that kept none, every question was read, even the same twice', () => {
  const run = { settings: { server: true }, questions: ['A?', 'A?', 'B?'] }
  expect(questionsOf(run).readAs).toEqual([0, 1, 2])
  expect(questionsOf(run).asked.map(({ id }) => id)).toEqual(['1', '2', '3'])
})
