import { describe, expect, test } from 'vitest'
import { splitReasoning } from './reasoning.ts'

describe('splitReasoning', () => {
  const cases: [name: string, response: string, text: string, reasoning: string | undefined][] = [
    ['leaves a plain answer as it is', '  Paris.\n', '  Paris.\n', undefined],
    ['takes a block off the front', '<think>\nhm\n</think>\n\nParis.', 'Paris.', 'hm'],
    ['takes several blocks', '<think>a</think>x <think>b</think>y', 'x y', 'a\n\nb'],
    ['treats an unclosed block as reasoning to the end', 'before<think>never said', 'before', 'never said'],
    [
      'treats all before a stray closing tag as reasoning',
      'let me see</think>Paris.',
      'Paris.',
      'let me see',
    ],
    ['copes with nested blocks', '<think>a<think>b</think>c</think>d', 'd', 'a\n\nb\n\nc'],
    ['knows another spelling at the start', '[THINK]a[/THINK]\nc', 'c', 'a'],
    ['knows a third', '<Thinking>a</thinking>c', 'c', 'a'],
    ['treats an unclosed one as reasoning', ' <thinking>a', '', 'a'],
    [
      'knows the channels of gpt-oss',
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Paris.<|return|>',
      'Paris.',
      'hm',
    ],
    ['knows them where nothing was thought', '<|channel|>final<|message|>Paris.', 'Paris.', undefined],
    [
      'treats a channel that was cut as reasoning',
      '<|start|>assistant<|channel|>analysis<|message|>h',
      '',
      'h',
    ],
    ['knows them without their control tokens', 'analysisHm.assistantfinalParis.', 'Paris.', 'Hm.'],
    ['takes no word for them', 'analysis of the final', 'analysis of the final', undefined],
    [
      'leaves other spellings inside the text alone',
      'a [THINK] b </thinking> c',
      'a [THINK] b </thinking> c',
      undefined,
    ],
    ['gives an empty text when nothing was said', '<think>only</think>', '', 'only'],
    ['leaves other tags alone', '<b>bold</b> <memory>', '<b>bold</b> <memory>', undefined],
  ]
  test.each(cases)('%s', (_, response, text, reasoning) => {
    const split = splitReasoning(response)
    expect(split.text).toBe(text)
    expect(split.reasoning).toBe(reasoning)
  })

  test('puts the fields of the server first', () => {
    expect(splitReasoning('<think>b</think>c', 'a', undefined)).toEqual({ text: 'c', reasoning: 'a\n\nb' })
  })

  test('is linear: half a megabyte of tags takes no time', () => {
    const start = performance.now()
    const { text } = splitReasoning('<think>x</think>y'.repeat(30_000))
    expect(text).toBe('y'.repeat(30_000))
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
