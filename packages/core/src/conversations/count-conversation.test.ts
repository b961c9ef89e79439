import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { createHuggingFaceTokenizer } from '../tokenizers/hugging-face.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { countConversation } from './count-conversation.ts'

const bundled = new URL('../../../../models/nano/tokenizer.json', import.meta.url)
const tokenizer = createHuggingFaceTokenizer(JSON.parse(await readFile(bundled, 'utf8')))

const countOf = (text: string, { count }: Pick<Tokenizer, 'count'> = tokenizer, signal?: AbortSignal) => {
  const model = { ...createScriptedModel([]), tokenizer: { ...tokenizer, count } }
  return countConversation([{ role: 'user', parts: [text] }], { model }, signal)
}

it('a long text has the tokens that it has as a whole', async () => {
  const text = 'The keeper of the lighthouse wrote 1,204 lines. '.repeat(2000)
  expect((await countOf(text)) - (await countOf(''))).toBe(tokenizer.count(text))
})

it('a message of which nothing is left has no tokens', async () => {
  const said = { role: 'user' as const, parts: ['Hello.'] }
  const model = { ...createScriptedModel([]), tokenizer }
  const all = countConversation([{ role: 'assistant', parts: [] }, said], { model })
  expect(await all).toBe(await countConversation([said], { model }))
})

it('other work goes on while a word without an end is counted, and an abort ends it', async () => {
  const controller = new AbortController()
  let pieces = 0
  const counted = countOf(
    'x'.repeat(1_000_000),
    {
      count: (piece) => {
        pieces++
        return piece.length
      },
    },
    controller.signal,
  )
  setTimeout(() => controller.abort(new Error('The client went away.')))
  await expect(counted).rejects.toThrow('The client went away.')
  expect(pieces).toBeLessThan(20)
})
