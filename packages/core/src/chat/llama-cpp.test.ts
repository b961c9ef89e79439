/** Tests that need no llama.cpp; the contract is tested with the real one in test/llama-cpp. */
import { describe, expect, test } from 'vitest'
import { ChatError, ConfigurationError } from '../errors.ts'
import { createLlamaCppModel } from './llama-cpp.ts'
import type { LlamaModule } from './node-llama-cpp.ts'

const template =
  "{{ bos_token }}{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}{% endfor %}<reply>"
const user = [{ role: 'user' as const, content: 'hé' }]
const codes = (text: string) => Array.from(text, (sign) => sign.codePointAt(0) ?? 0)
const end = 4

/** A library whose tokens are code points and whose model says `reply`; records what is released. */
function fakeLibrary(options: {
  reply?: string
  template?: string | undefined
  bos?: string
  prepends?: boolean
  needsCheckpoints?: boolean
}) {
  const released: string[] = []
  const evaluated: number[][] = []
  const dispose = (name: string) => async () => void released.push(name)
  /** Continues the reply if the evaluated tokens are its beginning. */
  const controlled = () => {
    const context: number[] = []
    return {
      needsCheckpoints: options.needsCheckpoints ?? false,
      get nextTokenIndex() {
        return context.length
      },
      async eraseContextTokenRanges([range]: { start: number; end: number }[]) {
        context.splice(range!.start, range!.end - range!.start)
      },
      async controlledEvaluate(tokens: readonly (readonly [number, unknown])[]) {
        evaluated.push(tokens.map(([token]) => token))
        const reply = [...codes(options.reply ?? 'fine'), end]
        return tokens.map(([token]) => {
          context.push(token)
          const said = context.slice(1)
          const isRight = said.every((other, i) => other === reply[i])
          return { next: { token: isRight ? reply[said.length]! : 0, confidence: 0.5 } }
        })
      },
    }
  }
  const library: LlamaModule = {
    getLlama: async () => ({
      dispose: dispose('llama'),
      loadModel: async () => ({
        dispose: dispose('model'),
        tokenize: codes,
        detokenize: (ids) => String.fromCodePoint(...ids.filter((id) => id !== end)),
        isEogToken: (id) => id === end,
        tokens: {
          bos: options.bos === undefined ? null : codes(options.bos)[0]!,
          bosString: options.bos ?? null,
          eosString: null,
          shouldPrependBosToken: options.prepends ?? false,
        },
        trainContextSize: 2048,
        fileInfo: {
          metadata: { tokenizer: options.template === undefined ? {} : { chat_template: options.template } },
        },
        createContext: async ({ contextSize }) => ({
          contextSize: Math.ceil(contextSize / 256) * 256,
          dispose: dispose('context'),
          getSequence: () => ({
            clearHistory: async () => undefined,
            evaluateWithoutGeneratingNewTokens: async (ids) => void evaluated.push([...ids]),
            async *evaluateWithMetadata(ids) {
              evaluated.push([...ids])
              for (const token of [...codes(options.reply ?? 'fine'), end]) yield { token, confidence: 0.5 }
            },
            ...controlled(),
          }),
        }),
      }),
    }),
  }
  return { released, evaluated, load: async () => library }
}

test('without the package, the error says what to install', async () => {
  // As from Node's import(); the test runner's own import fails with another message.
  const notFound = Object.assign(new Error("Cannot find package 'node-llama-cpp'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  const absent = createLlamaCppModel({ path: 'x.gguf', load: () => Promise.reject(notFound) })
  await expect(absent).rejects.toBeInstanceOf(ConfigurationError)
  await expect(absent).rejects.toMatchObject({
    code: 'gguf/not-installed',
    hint: expect.stringContaining('npm install node-llama-cpp@3'),
  })
})

test('a package that does not load is told apart from a missing one', async () => {
  const load = () => Promise.reject(new Error('wrong binary'))
  await expect(createLlamaCppModel({ path: 'x.gguf', load })).rejects.toMatchObject({
    code: 'gguf/not-loadable',
    message: expect.stringContaining('wrong binary'),
  })
})

test('a file without a chat template is an error that releases everything', async () => {
  const { load, released } = fakeLibrary({})
  await expect(createLlamaCppModel({ path: 'x.gguf', load })).rejects.toMatchObject({
    code: 'gguf/no-template',
  })
  expect(released).toEqual(['model', 'llama'])
})

describe('the prompt', () => {
  test("is rendered with the file's template and evaluated whole, the last token by the sampling loop", async () => {
    const { load, evaluated } = fakeLibrary({ template })
    const model = await createLlamaCppModel({ path: 'x.gguf', load })
    const result = await model.generate(user, { maxTokens: 9, logprobs: true })
    expect(String.fromCodePoint(...evaluated.flat())).toBe('<user>hé<reply>')
    expect(evaluated.at(-1)).toEqual(codes('>'))
    expect(result).toMatchObject({
      text: 'fine',
      usage: { promptTokens: 15, completionTokens: 5 },
      finishReason: { unified: 'stop', raw: 'end-of-generation' },
    })
    expect(result.logprobs?.map(({ logprob }) => logprob)).toEqual(Array(5).fill(Math.log(0.5)))
  })

  test.each([
    ['written by the template', template, true],
    ['put before it', template.replace('{{ bos_token }}', ''), true],
    ['left out where the model wants none', template.replace('{{ bos_token }}', ''), false],
  ])('has the token that begins a text once: %s', async (_, text, prepends) => {
    const { load, evaluated } = fakeLibrary({ template: text, bos: '^', prepends })
    const model = await createLlamaCppModel({ path: 'x.gguf', load })
    await model.generate(user, { maxTokens: 9 })
    expect(String.fromCodePoint(...evaluated.flat())).toBe(`${prepends ? '^' : ''}<user>hé<reply>`)
    expect(model.countPromptTokens(user)).toBe(evaluated.flat().length)
  })
})

test('stops at a stop text and leaves it out; reasoning is split off', async () => {
  const { load } = fakeLibrary({ template, reply: '<think>hm</think>one\ntwo' })
  const model = await createLlamaCppModel({ path: 'x.gguf', load })
  const result = await model.generate(user, { maxTokens: 99, stop: ['\n'] })
  expect(result).toMatchObject({
    text: 'one',
    reasoning: 'hm',
    finishReason: { unified: 'stop', raw: 'stop-text' },
  })
})

test('a thought that the template opens is none of the response, whether it ends or is cut', async () => {
  const opening = template.replace('<reply>', '<reply><think>\n')
  const said = async (reply: string, maxTokens: number) => {
    const model = await createLlamaCppModel({
      path: 'x.gguf',
      load: fakeLibrary({ template: opening, reply }).load,
    })
    return model.generate(user, { maxTokens })
  }
  expect(await said('hm</think>one', 99)).toMatchObject({ text: 'one', reasoning: 'hm' })
  expect(await said('hm, I need to', 4)).toMatchObject({
    text: '',
    reasoning: 'hm,',
    finishReason: { unified: 'length' },
  })
})

test('the window is the one asked for, up to what the model supports', async () => {
  const { load } = fakeLibrary({ template })
  const windowOf = async (contextWindow?: number) =>
    (await (await createLlamaCppModel({ path: 'x.gguf', load, contextWindow })).describe?.())?.contextWindow
  expect(await windowOf()).toBe(2048)
  expect(await windowOf(1000)).toBe(1000)
})

test('close releases everything once, and calls afterwards fail clearly', async () => {
  const { load, released } = fakeLibrary({ template })
  const model = await createLlamaCppModel({ path: 'x.gguf', load })
  await model.close()
  await model.close()
  expect(released).toEqual(['context', 'model', 'llama'])
  await expect(model.generate(user, { maxTokens: 1 })).rejects.toBeInstanceOf(ChatError)
})

describe('a draft', () => {
  const reply = 'The gate code is 4821. The key is red.'
  const call = { maxTokens: 100, temperature: 0, logprobs: true }
  const answer = async (more: object, options = {}) => {
    const { evaluated, load } = fakeLibrary({ reply, template, ...options })
    const model = await createLlamaCppModel({ path: 'x.gguf', load })
    const result = await model.generate(user, { ...call, ...more })
    return { result, evaluations: evaluated.slice(1) }
  }

  test.each([
    reply,
    'The gate code is 4821. The old key is red.',
    'The gate code is 4822.',
    'Nothing of it.',
  ])('changes nothing of what is said: %s', async (draft) => {
    const { result } = await answer({ draft })
    expect(result).toEqual((await answer({})).result)
    expect((await answer({ draft, maxTokens: 7 })).result).toEqual((await answer({ maxTokens: 7 })).result)
  })

  test('is verified many tokens at a time', async () => {
    const { evaluations } = await answer({ draft: reply })
    expect(evaluations).toHaveLength(2)
    // First the prompt's last token and the proposal, then the token that the model added and the rest.
    expect(String.fromCodePoint(...evaluations[0]!)).toBe(`>${reply.slice(0, 16)}`)
    expect(String.fromCodePoint(...evaluations[1]!)).toBe(reply.slice(16))
  })

  test('is not used when tokens are sampled or cannot be taken back', async () => {
    const draft = { draft: reply }
    expect((await answer({ ...draft, temperature: 1 })).evaluations).toEqual([codes('>')])
    expect((await answer(draft, { needsCheckpoints: true })).evaluations).toEqual([codes('>')])
  })
})
