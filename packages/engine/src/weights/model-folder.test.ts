import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initialWeights, type LlamaConfig, parameterShapes } from '../models/llama-config.ts'
import { tinyLlama } from '../testing/tiny-llama.ts'
import { loadModelFolder, type ModelFolder, saveModelFolder } from './model-folder.ts'
import { readSafetensors, writeSafetensors } from './safetensors.ts'

const config: LlamaConfig = {
  ...tinyLlama,
  ...{ vocabularySize: 20, hiddenSize: 8, intermediateSize: 12 },
  ...{ ropeTheta: 5000 },
}
const model: ModelFolder = {
  config,
  weights: initialWeights(config, 1),
  tokenizerJson: {
    added_tokens: [
      { id: 18, content: '<|pad|>' },
      { id: 19, content: '<|end|>' },
    ],
  },
  tokenizerConfig: {
    eos_token: '<|end|>',
    pad_token: '<|pad|>',
    bos_token: null,
    chat_template: '{{ messages }}',
  },
  profile: { name: 'tiny', budget: { window: 64 } },
}
const place = temporaryFolder(beforeEach, afterEach)
let folder: string
beforeEach(() => {
  folder = place.path
})
const json = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))

describe('model folder', () => {
  it('round-trips what was saved', async () => {
    await saveModelFolder(folder, model)
    expect(await loadModelFolder(folder)).toEqual(model)
  })

  it('refuses a matrix that is stored transposed: it has as many numbers', async () => {
    await saveModelFolder(folder, model)
    const name = 'model.layers.1.mlp.up_proj.weight'
    const shapes = new Map(
      [...parameterShapes(config)].map(([one, shape]) => [one, one === name ? shape.toReversed() : shape]),
    )
    await writeSafetensors(join(folder, 'model.safetensors'), model.weights, shapes)
    await expect(loadModelFolder(folder)).rejects.toMatchObject({
      code: 'engine/weights',
      message: expect.stringContaining(`${name} has the shape [8, 12], not [12, 8]`),
    })
  })

  it('is as before, and says why, where a file cannot be written', async () => {
    await saveModelFolder(folder, model)
    // As on a full disk: writing fails in the middle of the files.
    await mkdir(join(folder, 'tokenizer.json.next', 'full'), { recursive: true })
    const other = { ...model, weights: initialWeights(config, 2), tokenizerJson: {} }
    await expect(saveModelFolder(folder, other)).rejects.toMatchObject({
      code: 'engine/unwritable',
      message: expect.stringContaining('tokenizer.json'),
    })
    expect(await loadModelFolder(folder)).toEqual(model)
    // Nothing is left beside the files.
    expect(await readdir(folder)).not.toContain('model.safetensors.next')
    await expect(saveModelFolder(join(folder, 'config.json'), model)).rejects.toMatchObject({
      code: 'engine/unwritable',
    })
  })

  it('has the files, names and shapes of LlamaForCausalLM', async () => {
    await saveModelFolder(folder, model, { dtype: 'BF16' })
    expect(await json('config.json')).toMatchObject({
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      hidden_act: 'silu',
      hidden_size: 8,
      intermediate_size: 12,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      head_dim: 6,
      rope_theta: 5000,
      rms_norm_eps: 1e-5,
      vocab_size: 20,
      max_position_embeddings: 64,
      tie_word_embeddings: true,
      attention_bias: false,
      mlp_bias: false,
      torch_dtype: 'bfloat16',
      bos_token_id: null,
      eos_token_id: 19,
      pad_token_id: 18,
    })
    expect(await json('generation_config.json')).toMatchObject({ eos_token_id: 19, pad_token_id: 18 })
    expect(await readFile(join(folder, 'chat_template.jinja'), 'utf8')).toBe('{{ messages }}')
    const { shapes } = await readSafetensors(join(folder, 'model.safetensors'))
    expect(shapes).toEqual(parameterShapes(config))
    expect(Object.fromEntries(shapes)).toMatchObject({
      'model.embed_tokens.weight': [20, 8],
      'model.layers.1.self_attn.q_proj.weight': [24, 8],
      'model.layers.1.self_attn.k_proj.weight': [12, 8],
      'model.layers.1.self_attn.v_proj.weight': [12, 8],
      'model.layers.1.self_attn.o_proj.weight': [8, 24],
      'model.layers.1.mlp.gate_proj.weight': [12, 8],
      'model.layers.1.mlp.down_proj.weight': [8, 12],
      'model.layers.1.post_attention_layernorm.weight': [8],
      'model.norm.weight': [8],
    })
    // Tied: transformers must not find a second output matrix.
    expect(shapes.has('lm_head.weight')).toBe(false)
  })

  it('takes the chat template from its own file when tokenizer_config.json has none', async () => {
    await saveModelFolder(folder, model)
    const { chat_template: _, ...rest } = model.tokenizerConfig
    await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify(rest))
    expect((await loadModelFolder(folder)).tokenizerConfig).toEqual(model.tokenizerConfig)
  })

  it('has no profile when there is no profile.json, and an error when it is broken', async () => {
    await saveModelFolder(folder, model)
    await rm(join(folder, 'profile.json'))
    expect((await loadModelFolder(folder)).profile).toBeUndefined()
    await writeFile(join(folder, 'profile.json'), '{"name": ')
    await expect(loadModelFolder(folder)).rejects.toThrow('profile.json cannot be read')
  })

  it.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'])(
    'says that %s is missing',
    async (name) => {
      await saveModelFolder(folder, model)
      await rm(join(folder, name))
      await expect(loadModelFolder(folder)).rejects.toThrow(name)
    },
  )

  it.each(['5', 'null', '[]'])('refuses a tokenizer_config.json of %s', async (content) => {
    await saveModelFolder(folder, model)
    await writeFile(join(folder, 'tokenizer_config.json'), content)
    await expect(loadModelFolder(folder)).rejects.toThrow('tokenizer_config.json cannot be read')
  })

  it('rejects weights that do not fit the config', async () => {
    await saveModelFolder(folder, model)
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ ...(await json('config.json')), intermediate_size: 13 }),
    )
    await expect(loadModelFolder(folder)).rejects.toThrow(
      'mlp.gate_proj.weight should have 104 numbers and has 96',
    )
  })

  it.each([Number.NaN, Number.NEGATIVE_INFINITY])('refuses weights with %d', async (value) => {
    const name = 'model.norm.weight'
    const values = Float32Array.from(model.weights.get(name)!)
    values[2] = value
    await saveModelFolder(folder, { ...model, weights: new Map([...model.weights, [name, values]]) })
    await expect(loadModelFolder(folder)).rejects.toMatchObject({
      code: 'engine/weights',
      message: `The weights in ${folder} are damaged: number 3 of ${name} is ${value}.`,
    })
  })

  it('reads the rotary base where transformers 5 writes it', async () => {
    await saveModelFolder(folder, model)
    const { rope_theta: _, rope_scaling: __, ...rest } = await json('config.json')
    const rope = { rope_type: 'default', rope_theta: 5000 }
    await writeFile(join(folder, 'config.json'), JSON.stringify({ ...rest, rope_parameters: rope }))
    expect((await loadModelFolder(folder)).config).toEqual(config)
  })

  it.each([
    ['num_hidden_layers', 3_000_000],
    ['max_position_embeddings', 1e12],
  ])('refuses %s of %d before it makes room for them', async (key, value) => {
    await saveModelFolder(folder, model)
    const changed = { ...(await json('config.json')), [key]: value }
    await writeFile(join(folder, 'config.json'), JSON.stringify(changed))
    await expect(loadModelFolder(folder)).rejects.toThrow('more than the embedded engine takes')
  })

  it('reports the end token when it is given as an object', async () => {
    const tokenizerConfig = {
      ...model.tokenizerConfig,
      eos_token: { content: model.tokenizerConfig.eos_token },
    }
    await saveModelFolder(folder, { ...model, tokenizerConfig })
    expect(await json('generation_config.json')).toMatchObject({ eos_token_id: 19 })
  })

  it('reports no token when none is configured, whatever the vocabulary contains', async () => {
    const { pad_token: _, ...rest } = model.tokenizerConfig
    const tokenizerJson = { ...model.tokenizerJson, model: { vocab: { undefined: 3, null: 4 } } }
    await saveModelFolder(folder, { ...model, tokenizerJson, tokenizerConfig: { ...rest, bos_token: null } })
    expect(await json('config.json')).toMatchObject({ bos_token_id: null, pad_token_id: null })
  })

  it.each([
    ['model_type', 'mamba'],
    ['tie_word_embeddings', false],
    ['attention_bias', true],
    ['hidden_act', 'gelu'],
    ['rope_parameters', { rope_type: 'llama3', rope_theta: 500_000, factor: 32 }],
  ])('refuses a model whose %s is %s', async (key, value) => {
    await saveModelFolder(folder, model)
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ ...(await json('config.json')), [key]: value }),
    )
    await expect(loadModelFolder(folder)).rejects.toThrow('cannot run this model')
  })
})
