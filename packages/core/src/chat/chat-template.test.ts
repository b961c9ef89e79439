import { describe, expect, it } from 'vitest'
import { TemplateError } from '../errors.ts'
import { tinyTokenizerJson } from '../testing/tiny-tokenizer.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createHuggingFaceTokenizer } from '../tokenizers/hugging-face.ts'
import { ChatTemplate } from './chat-template.ts'
import type { Message } from './message.ts'

/** Copied from the models' own files, without their parts for tools; expected texts are worked out by hand. */
const qwen25 = `{%- if messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}
{%- else %}
    {{- '<|im_start|>system\\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
`
const llama3 =
  "{% set loop_messages = messages %}{% for message in loop_messages %}{% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
const mistral =
  "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token}}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}"
const gemma = `{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '
' + message['content'] | trim + '<end_of_turn>
' }}{% endfor %}{% if add_generation_prompt %}{{'<start_of_turn>model
'}}{% endif %}`

const system: Message = { role: 'system', content: 'Be brief.' }
const user: Message = { role: 'user', content: ' Who? ' }
const assistant: Message = { role: 'assistant', content: 'Ada.' }
const withTemplate = (chat_template: unknown, more: Record<string, unknown> = {}) =>
  new ChatTemplate({ tokenizerConfig: { chat_template, ...more } })

/** @returns the error of a template that refuses */
function refusal(run: () => unknown): TemplateError {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError)
    return error as TemplateError
  }
  throw new Error('nothing was refused')
}

describe('rendering', () => {
  it('Qwen2.5 adds its own system message unless one is given', () => {
    const template = withTemplate(qwen25, { bos_token: null, eos_token: '<|im_end|>' })
    expect(template.render([user])).toBe(
      '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n Who? <|im_end|>\n<|im_start|>assistant\n',
    )
    expect(template.render([system, user, assistant], { addGenerationPrompt: false })).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n Who? <|im_end|>\n<|im_start|>assistant\nAda.<|im_end|>\n',
    )
  })

  it('Llama 3 trims contents and begins with its first token once', () => {
    const template = withTemplate(llama3, { bos_token: { content: '<|begin_of_text|>', special: true } })
    expect(template.render([system, user])).toBe(
      '<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWho?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    )
  })

  it('Mistral rejects system messages and roles that do not alternate', () => {
    const template = withTemplate(mistral, { bos_token: '<s>', eos_token: '</s>' })
    expect(template.render([user, assistant, user])).toBe(
      '<s>[INST]  Who?  [/INST]Ada.</s>[INST]  Who?  [/INST]',
    )
    expect(refusal(() => template.render([user, user])).message).toContain('roles must alternate')
    const error = refusal(() => template.render([system, user]))
    expect(error.code).toBe('template/refused')
    expect(error.message).toContain('roles must alternate')
  })

  it('Gemma calls the assistant "model"', () => {
    const template = withTemplate(gemma, { bos_token: '<bos>' })
    expect(template.render([user, assistant, user])).toBe(
      '<bos><start_of_turn>user\nWho?<end_of_turn>\n<start_of_turn>model\nAda.<end_of_turn>\n<start_of_turn>user\nWho?<end_of_turn>\n<start_of_turn>model\n',
    )
    expect(refusal(() => template.render([system, user])).message).toContain('System role not supported')
  })

  it('takes contents as text, whatever they hold', () => {
    const content = "{{ bos_token }}{% raw %} {{ raise_exception('no') }} \\n"
    expect(withTemplate(gemma, { bos_token: '<bos>' }).render([{ role: 'user', content }])).toBe(
      `<bos><start_of_turn>user\n${content}<end_of_turn>\n<start_of_turn>model\n`,
    )
  })

  it('prints the date of the given clock, in English', () => {
    const template = new ChatTemplate({
      template: "{{ strftime_now('%d %b %Y, %B %H:%M, 100%%') }}",
      now: () => new Date(2024, 6, 4, 9, 5),
    })
    expect(template.render([user])).toBe('04 Jul 2024, July 09:05, 100%')
  })

  it('passes extra variables on', () => {
    const template = new ChatTemplate({
      template: '{% if enable_thinking %}think{% else %}answer{% endif %}{{ unknown }}',
      variables: { enable_thinking: false },
    })
    expect(template.render([user])).toBe('answer')
  })
})

describe('templates', () => {
  it('uses the default of several named templates, otherwise the first', () => {
    const named = [
      { name: 'tool_use', template: 'tools' },
      { name: 'default', template: 'plain' },
    ]
    expect(withTemplate(named).render([user])).toBe('plain')
    expect(withTemplate(named.slice(0, 1)).render([user])).toBe('tools')
  })

  it('given as text come before those of the configuration', () => {
    const template = new ChatTemplate({
      tokenizerConfig: { chat_template: 'old', bos_token: '<s>' },
      template: '{{ bos_token }}new',
    })
    expect(template.render([user])).toBe('<s>new')
  })

  it('that are missing or broken are errors', () => {
    expect(refusal(() => new ChatTemplate({})).code).toBe('template/missing')
    expect(refusal(() => withTemplate([])).code).toBe('template/missing')
    expect(refusal(() => withTemplate([null, { name: 'default', template: 5 }])).code).toBe(
      'template/missing',
    )
    expect(refusal(() => withTemplate('{% for message in %}')).code).toBe('template/syntax')
  })
})

describe('tokens', () => {
  const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('qwen2'))
  const template = withTemplate(qwen25)

  it('are those of the parts, control tokens as one each', () => {
    const [start, end] = [tokenizer.idOf('<|im_start|>')!, tokenizer.idOf('<|im_end|>')!]
    const plain = (text: string) => tokenizer.encode(text)
    expect(template.tokenize([system, user], tokenizer)).toEqual([
      ...[start, ...plain('system\nBe brief.'), end, ...plain('\n')],
      ...[start, ...plain('user\n Who? '), end, ...plain('\n')],
      ...[start, ...plain('assistant\n')],
    ])
    const whole = template.tokenize([system, user], tokenizer, { addGenerationPrompt: false })
    expect(tokenizer.decode(whole)).toBe(template.render([system, user], { addGenerationPrompt: false }))
  })

  it('need a tokenizer that has ids', () => {
    const error = refusal(() => template.tokenize([user], createEstimateTokenizer()))
    expect(error.code).toBe('template/no-token-ids')
  })
})
