/** Every way in which a model breaks the form of edits, and what happens then. */
import { describe, expect, it } from 'vitest'
import type { ScriptedReply } from '../../chat/scripted.ts'
import { readingWith } from '../testing/scripted-reading.ts'
import { edits } from './edits.ts'

const readWith = readingWith(edits)
const cut = { unified: 'length', raw: 'length' } as const
const filtered = { unified: 'refusal', raw: 'content_filter' } as const
const untold = { unified: 'other', raw: undefined } as const
const tokens = (completionTokens: number) => ({ promptTokens: 1, completionTokens })

/** Every way to break the form, with the code of its warning; undefined if the response is good. */
const responses: readonly (readonly [name: string, reply: ScriptedReply, code: string | undefined])[] = [
  ['nothing', '', 'memory-empty'],
  ['white space', ' \n\t ', 'memory-empty'],
  ['reasoning alone', { text: '', reasoning: 'Let me think.', finishReason: cut }, 'memory-empty'],
  ['a refusal by the server', { text: '+ Bob came.', finishReason: filtered }, 'memory-refused'],
  ['a refusal in words', "I'm sorry, but I can't help with that.", 'memory-refused'],
  ['edits cut by the limit', { text: '+ Bob came.\n+ Cay', finishReason: cut }, 'edits-cut'],
  ['"none" cut by the limit', { text: 'none', finishReason: cut }, 'edits-cut'],
  [
    'a full response whose end nobody tells',
    { text: '+ Bob', finishReason: untold, usage: tokens(48) },
    'edits-cut',
  ],
  ['a memory rewritten as a text', 'Ann came. Bob came, too.', 'edits-malformed'],
  ['a memory rewritten with its ids', '#1 Ann came.\n#2 Bob came.', 'edits-malformed'],
  ['a list', '- Ann came.\n- Bob came.', 'edits-malformed'],
  ['a numbered list', '1. Ann came.\n2. Bob came.', 'edits-malformed'],
  ['a bare value', '-1', 'edits-malformed'],
  ['words before edits', 'Updated memory:\n+ Bob came.', 'edits-malformed'],
  ['words behind edits', '+ Bob came.\nThat is all.', 'edits-malformed'],
  ['edits in the midst of words', 'Sure!\n```\n+ Bob came.\n```\nDone.', 'edits-malformed'],
  ['other words for nothing', 'No changes are needed.', 'edits-malformed'],
  ['nothing and something', 'none\n+ Bob came.', 'edits-malformed'],
  ['a line that says nothing', '+ none', 'edits-malformed'],
  ['an empty line added', '+ Bob came.\n+', 'edits-malformed'],
  ['an unknown id', '+ Bob came.\n- #7', 'edits-malformed'],
  ['an id of its own response', '+ Bob came.\n= #2 Bob left.', 'edits-malformed'],
  ['an id twice', '= #1 Ann left.\n- #1', 'edits-malformed'],
  ['several ids at once', '- #1, #2', 'edits-malformed'],
  ['an id without its sign', '= 1 Ann left.', 'edits-malformed'],
  ['an edit in words', 'REPLACE #1 Ann left.', 'edits-malformed'],
  ['an edit as a patch', '- Ann came.\n+ Ann left.', 'edits-malformed'],
  ['JSON', '[{"add": "Bob came."}]', 'edits-malformed'],
  ['tags', '<memory>\n+ Bob came.\n</memory>', 'edits-malformed'],
  ['an answer', '\\boxed{Ann}', 'edits-malformed'],
  ['edits', '+ Bob came.', undefined],
  ['edits in a fence', '```\n+ Bob came.\n```', undefined],
  ['edits with empty lines between', '\n+ Bob came.\n\n+ Cay came.\n', undefined],
  ['nothing in a sentence of its own', '**None.**', undefined],
]

describe('a model that breaks the form', () => {
  it.each(responses)('writes %s', async (_, reply, code) => {
    const { memories, warnings, answer, shown } = await readWith([
      '+ Ann came.',
      reply,
      'none',
      'none',
      '\\boxed{x}',
    ])
    const isGood = code === undefined
    expect(memories[1]).toMatchObject({ origin: isGood ? 'sampled' : 'kept', previous: 'Ann came.' })
    expect(answer?.usage.keptMemories).toBe(isGood ? 0 : 1)
    expect(warnings.map((warning) => warning.code)).toEqual(isGood ? [] : [code])
    if (isGood) return
    expect(warnings[0]).toMatchObject({ step: 1, malformed: { step: 1, kind: 'update' } })
    expect(memories[1]).toMatchObject({ memory: 'Ann came.', changed: false })
    expect(shown[2]).toBe('#1 Ann came.')
    // One lost chunk puts "not in the text" in doubt, but not an answer that was found.
    expect(answer?.answer.outcome).toBe('found')
  })
})
