/** Every way in which a model breaks the form of a rewrite, and what happens then. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ScriptedReply } from '../../chat/scripted.ts'
import { promptsFor } from '../prompts/prompts.ts'
import { readingWith } from '../testing/scripted-reading.ts'
import { recall } from './recall.ts'
import { parseRewrite } from './recall-response.ts'

const readWith = readingWith(recall)
const cut = { unified: 'length', raw: 'length' } as const
const filtered = { unified: 'refusal', raw: 'content_filter' } as const
const untold = { unified: 'other', raw: undefined } as const
const whole = '<update>Bob came.</update>\n<recall>Ann</recall>'

/** Each with the code of its warning; or with the memory, if the response is good. */
const responses: readonly (readonly [name: string, reply: ScriptedReply, result: string])[] = [
  ['nothing', '', 'memory-empty'],
  ['white space', ' \n\t ', 'memory-empty'],
  ['reasoning alone', { text: '', reasoning: 'Hm', finishReason: cut }, 'memory-empty'],
  ['a refusal by the server', { text: whole, finishReason: filtered }, 'memory-refused'],
  ['a refusal in words', "I'm sorry, but I can't help with that.", 'memory-refused'],
  ['a refusal for a memory', "<update>I'm sorry, but I can't help with that.</update>", 'memory-refused'],
  ['a memory cut by the limit', { text: '<update>Bob came', finishReason: cut }, 'recall-cut'],
  ['a query cut by the limit', { text: `${whole.slice(0, -9)}`, finishReason: cut }, 'recall-cut'],
  [
    'a full response whose end nobody tells',
    { text: whole, finishReason: untold, usage: { promptTokens: 1, completionTokens: 48 } },
    'recall-cut',
  ],
  ['thinking cut by the limit', { text: '<thinking>Bob came', finishReason: cut }, 'recall-cut'],
  ['thinking that does not end', `<thinking>Bob came. ${whole}`, 'recall-malformed'],
  ['thinking alone', '<thinking>Bob came.</thinking>', 'recall-malformed'],
  ['thinking behind the memory', `${whole}<thinking>Bob?</thinking>`, 'recall-malformed'],
  ['thinking twice', `<thinking>a</thinking><thinking>b</thinking>${whole}`, 'recall-malformed'],
  ['a memory without its tags', 'Ann came. Bob came, too.', 'recall-malformed'],
  ['a memory that does not end', '<update>Bob came.', 'recall-malformed'],
  ['a memory that does not begin', 'Bob came.</update>', 'recall-malformed'],
  ['a blank memory', '<update> \n</update>', 'recall-malformed'],
  ['a query alone', '<recall>Ann</recall>', 'recall-malformed'],
  ['the query first', '<recall>Ann</recall><update>Bob came.</update>', 'recall-malformed'],
  ['two memories', '<update>Bob came.</update><update>Cay came.</update>', 'recall-malformed'],
  ['two queries', `${whole}<recall>Bob</recall>`, 'recall-malformed'],
  ['a memory in a memory', '<update>Bob <update>came.</update></update>', 'recall-malformed'],
  ['a query in a memory', '<update>Bob <recall>Ann</recall> came.</update>', 'recall-malformed'],
  ['a query that does not end', '<update>Bob came.</update><recall>Ann', 'recall-malformed'],
  ['words before', `Updated memory: ${whole}`, 'recall-malformed'],
  ['words behind', `${whole} That is all.`, 'recall-malformed'],
  ['words between', '<update>Bob came.</update> and <recall>Ann</recall>', 'recall-malformed'],
  [
    'a fence around a part',
    `\`\`\`\n<update>Bob came.</update>\n\`\`\`\n<recall>Ann</recall>`,
    'recall-malformed',
  ],
  ['other tags', '<memory>Bob came.</memory>', 'recall-malformed'],
  ['JSON', '{"update": "Bob came."}', 'recall-malformed'],
  ['an answer', '\\boxed{Ann}', 'recall-malformed'],
  ['a memory', '<update>Bob came.</update>', 'Bob came.'],
  ['a memory and a query', whole, 'Bob came.'],
  ['white space around its parts', `\n <update>\nBob came.\n</update>\n\n<recall> </recall>\n`, 'Bob came.'],
  ['a fence around it', `\`\`\`xml\n${whole}\n\`\`\``, 'Bob came.'],
  ['thinking first', `<thinking>Was it <update>Cay</update>?</thinking>\n${whole}`, 'Bob came.'],
]

describe('a model that breaks the form', () => {
  it.each(responses)('writes %s', async (_, reply, result) => {
    const { memories, warnings, answer, shown, recalled } = await readWith([
      '<update>Cay came.</update>',
      '<update>Ann came.</update><recall>Cay</recall>',
      reply,
      '<update>Dan came.</update>',
      '\\boxed{x}',
    ])
    if (/^[a-z-]+$/.test(result)) {
      expect(warnings).toMatchObject([{ step: 2, code: result, malformed: { step: 2, kind: 'update' } }])
      expect(warnings[0]?.message).toMatch(/and the previous memory is kept: it [a-z].*\.$/)
      expect(memories[2]).toMatchObject({ memory: 'Ann came.', changed: false, origin: 'kept' })
      expect(memories[2]?.recall).toEqual({ query: undefined, memory: 'Cay came.' })
      expect([shown[3], recalled[3]]).toEqual(['Ann came.', 'Cay came.'])
      expect(answer?.usage.keptMemories).toBe(1)
    } else {
      expect(warnings).toEqual([])
      expect(memories[2]).toMatchObject({ memory: result, changed: true, origin: 'sampled' })
      expect(answer?.usage.keptMemories).toBe(0)
    }
    expect(answer).toMatchObject({ answer: { text: 'x', outcome: 'found' }, memory: 'Dan came.' })
  })

  it('is told the form as the documents have it', () => {
    const page = readFileSync(new URL('../../../../../docs/workflows.md', import.meta.url), 'utf8')
    const [, response] = /```text\n(<update>.*?)```/s.exec(page)!
    expect(parseRewrite(response!)).toEqual({
      memory: 'The keeper of the South Gate is Ann Hale.',
      query: 'when the South Gate opens',
    })
    const { update } = promptsFor(recall, 'paper').templates
    expect(parseRewrite(/For example:\n(.*?)\n\n/s.exec(update!)![1]!)).toHaveProperty('query')
  })
})
