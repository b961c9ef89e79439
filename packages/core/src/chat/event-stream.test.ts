import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleStream } from './event-stream.ts'

const events = (...data: readonly unknown[]) => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ delta, finish_reason }],
})

describe('a stream of chunks', () => {
  it('is put together, with reasoning, refusal, tool calls, usage and ids', () => {
    const text = events(
      { ...chunk({ role: 'assistant' }), prompt_token_ids: [1, 2] },
      chunk({ reasoning_content: 'Think' }),
      chunk({ reasoning_content: 'ing.' }),
      {
        choices: [
          {
            delta: { content: 'The ' },
            token_ids: [7],
            logprobs: { content: [{ token: 'The', logprob: -1 }] },
          },
        ],
      },
      chunk({ content: 'end.', refusal: 'No.' }),
      chunk({ tool_calls: [{ index: 0 }] }),
      chunk({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    )
    expect(assembleStream(text)).toEqual({
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'The end.',
            reasoning_content: 'Thinking.',
            refusal: 'No.',
            tool_calls: [{ index: 0 }],
          },
          finish_reason: 'stop',
          logprobs: { content: [{ token: 'The', logprob: -1 }] },
          token_ids: [7],
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
      prompt_token_ids: [1, 2],
    })
  })

  it('keeps parts of content as parts', () => {
    const thinking = { type: 'thinking', thinking: 'hm' }
    const text = events(chunk({ content: [thinking] }), chunk({ content: 'yes' }, 'stop'))
    expect(assembleStream(text)).toMatchObject({
      choices: [{ message: { content: [thinking, { type: 'text', text: 'yes' }] } }],
    })
  })

  it('is complete with a finish reason or the end mark, and incomplete otherwise', () => {
    const begun = events(chunk({ content: 'The ' }))
    expect(assembleStream(begun)).toBeUndefined()
    expect(assembleStream(`${begun}data: [DONE]\n\n`)).toMatchObject({
      choices: [{ message: { content: 'The ' } }],
    })
    expect(assembleStream(begun + events(chunk({}, 'length')))).toMatchObject({
      choices: [{ finish_reason: 'length' }],
    })
  })

  it('that holds an error is that error', () => {
    const error = { error: { message: 'out of memory', code: 500 } }
    expect(assembleStream(events(chunk({ content: 'The ' }), error))).toEqual(error)
  })

  it('may have any line ending, comments and event names', () => {
    const data = JSON.stringify(chunk({ content: 'yes' }, 'stop'))
    for (const end of ['\n', '\r\n', '\r']) {
      const text = [': hello', '', 'event: message', 'id: 1', `data:${data}`, '', ''].join(end)
      expect(assembleStream(text)).toMatchObject({ choices: [{ message: { content: 'yes' } }] })
    }
  })
})

describe("Ollama's lines", () => {
  const line = (more: object) => `${JSON.stringify({ model: 'qwen', ...more })}\n`

  it('are put together', () => {
    const text =
      line({ message: { content: 'The ', thinking: 'hm' }, done: false }) +
      line({ message: { content: 'end.' }, done: false }) +
      line({ message: { content: '' }, done: true, done_reason: 'stop', eval_count: 2 })
    expect(assembleStream(text)).toEqual({
      model: 'qwen',
      message: { role: 'assistant', content: 'The end.', thinking: 'hm' },
      done: true,
      done_reason: 'stop',
      eval_count: 2,
    })
  })

  it('are incomplete without the last one', () => {
    const text = line({ message: { content: 'The ' }, done: false }).repeat(2)
    expect(assembleStream(text)).toBeUndefined()
  })
})

it('any other text is not a stream, and a stream cut anywhere before its end is incomplete', () => {
  fc.assert(fc.property(fc.string(), (text) => void assembleStream(text)))
  const whole = events(chunk({ content: 'The ' }), chunk({ content: 'end.' }), chunk({}, 'stop'))
  const last = whole.indexOf('"stop"') + '"stop"}]}'.length
  for (let length = 0; length < last; length++) expect(assembleStream(whole.slice(0, length))).toBeUndefined()
})
