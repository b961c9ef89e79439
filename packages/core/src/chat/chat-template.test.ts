import { describe, expect, it } from 'vitest'
import { TemplateError } from '../errors.ts'
import type { Message } from './chat.ts'
import { ChatTemplate } from './chat-template.ts'

/** Templates as the models' files have them, without their parts for tools. Expected texts are worked out by hand. */
const qwen25 =
  "{%- if messages[0]['role'] == 'system' %}\n    {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}\n{%- else %}\n    {{- '<|im_start|>system\\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\\n' }}\n{%- endif %}\n{%- for message in messages %}\n    {%- if (message.role == \"user\") or (message.role == \"system\" and not loop.first) or (message.role == \"assistant\" and not message.tool_calls) %}\n        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}\n    {%- endif %}\n{%- endfor %}\n{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n' }}\n{%- endif %}\n"
const llama3 =
  "{% set loop_messages = messages %}{% for message in loop_messages %}{% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
const mistral =
  "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token}}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}"
const gemma =
  "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}{% endfor %}{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}"

const system: Message = { role: 'system', content: 'Be brief.' }
const user: Message = { role: 'user', content: 'Who?' }
const assistant: Message = { role: 'assistant', content: 'Ann.' }

const config = (template: string, bos: unknown = '<s>', eos: unknown = '</s>') => ({
  tokenizerConfig: { chat_template: template, bos_token: bos, eos_token: eos },
})

describe('ChatML of Qwen 2.5', () => {
  const template = new ChatTemplate(config(qwen25, null, '<|im_end|>'))

  it('has a system message of its own', () => {
    expect(template.render([user])).toBe(
      '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\n',
    )
  })

  it('takes a system message, turns, and no start of an answer', () => {
    expect(template.render([system, user, assistant], { addGenerationPrompt: false })).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\nAnn.<|im_end|>\n',
    )
  })
})

it('Llama 3: headers, trimmed contents, the first token', () => {
  const template = new ChatTemplate(config(llama3, '<|begin_of_text|>', '<|eot_id|>'))
  expect(template.render([system, { role: 'user', content: '  Who?\n' }])).toBe(
    '<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWho?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
  )
})

describe('Mistral', () => {
  // Tokens are objects in some files.
  const template = new ChatTemplate(config(mistral, { content: '<s>', lstrip: false }, { content: '</s>' }))

  it('wraps instructions and ends answers', () => {
    expect(template.render([user, assistant, user])).toBe('<s>[INST] Who? [/INST]Ann.</s>[INST] Who? [/INST]')
  })

  it('refuses system messages and turns out of order, in its own words', () => {
    const refusal = () => template.render([system, user])
    expect(refusal).toThrow(TemplateError)
    expect(refusal).toThrow(/refuses these messages: .*roles must alternate/)
    expect(() => template.render([user, user])).toThrow(TemplateError)
  })
})

describe('Gemma', () => {
  const template = new ChatTemplate(config(gemma, '<bos>', '<eos>'))

  it('calls the assistant model', () => {
    expect(template.render([user, assistant, user])).toBe(
      '<bos><start_of_turn>user\nWho?<end_of_turn>\n<start_of_turn>model\nAnn.<end_of_turn>\n<start_of_turn>user\nWho?<end_of_turn>\n<start_of_turn>model\n',
    )
  })

  it('refuses system messages', () => {
    expect(() => template.render([system, user])).toThrow(/System role not supported/)
  })
})

describe('any template', () => {
  it('leaves contents as they are, also such that look like templates', () => {
    const template = new ChatTemplate({ template: '{% for m in messages %}[{{ m.content }}]{% endfor %}' })
    const content = '{{ messages }} {% if x %} {# no #} <|im_end|> é😀\r\n\t'
    expect(template.render([{ role: 'user', content }])).toBe(`[${content}]`)
  })

  it('takes the default of several, variables, and the given text before the file', () => {
    const named = [
      { name: 'tool_use', template: 'tools' },
      { name: 'default', template: 'default {{ mood }}' },
    ]
    const tokenizerConfig = { chat_template: named }
    expect(new ChatTemplate({ tokenizerConfig, variables: { mood: 'fine' } }).render([user])).toBe(
      'default fine',
    )
    expect(new ChatTemplate({ tokenizerConfig, template: 'given' }).render([user])).toBe('given')
    expect(new ChatTemplate({ tokenizerConfig: { chat_template: [named[0]] } }).render([user])).toBe('tools')
  })

  it('says when there is none, or a broken one', () => {
    expect(() => new ChatTemplate({})).toThrow(/no chat template/)
    expect(() => new ChatTemplate({ tokenizerConfig: { chat_template: [] } })).toThrow(/no chat template/)
    expect(() => new ChatTemplate({ template: '{% for x in %}' })).toThrow(TemplateError)
    expect(() => new ChatTemplate({ template: '{% if %}' })).toThrow(/cannot be parsed/)
  })
})
