/** A cut text says nothing that the whole does not. */
import { expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { read } from '../reading/read.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { wholeSentences } from './cut-text.ts'

it.each([
  ['Ann keeps the gate. The code is 48', 'Ann keeps the gate.'],
  ['Ann keeps the gate.\nThe cod', 'Ann keeps the gate.\n'],
  ['北门的看守人是安娜。安娜是本地人。北门的密码是1234', '北门的看守人是安娜。安娜是本地人。'],
  ['She said: "Go!" He we', 'She said: "Go!"'],
  // The point may be a decimal point.
  ['The toll of the North Gate is 3.', 'The toll of the North Gate is'],
  // Less than half would be left.
  ['Ann came. The code of the North Gate is 48', 'Ann came. The code of the North Gate is'],
  ['安娜。北门的密码是1234', '安娜。北门的密码是'],
  ['48213', '48213'],
])('of %j is %j', (cut, whole) => {
  expect(wholeSentences(cut)).toBe(whole)
})

it('knows by what follows whether the last word is whole', () => {
  const sentence = 'Ann came. The code of the North Gate is 48.'
  expect(wholeSentences(sentence, ' ')).toBe(sentence)
  expect(wholeSentences(sentence.slice(0, -1), '.')).toBe('Ann came. The code of the North Gate is')
  expect(wholeSentences('The code is 48', '\n')).toBe('The code is 48')
})

it('never makes half a number of a memory', async () => {
  const memory = '北门的看守人是安娜。安娜是本地人。北门的密码是1234'
  const finishReason = { unified: 'length', raw: 'length' } as const
  const model = createScriptedModel([{ text: memory, finishReason }, '\\boxed{?}'], {
    profile: contractProfile,
  })
  const result = await read({ question: 'Who?', document: 'One chunk.', model })
  expect(result.memory).toBe('北门的看守人是安娜。安娜是本地人。')
})
