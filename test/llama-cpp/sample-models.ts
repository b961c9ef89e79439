/** What to compare on: a model with random weights, the bundled one, and texts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { initialWeights, type LlamaConfig, type ModelFolder } from '@memagent/engine'
import { trainBpe } from '@memagent/train'

const root = join(import.meta.dirname, '..', '..')

const chatTemplate =
  "{% for message in messages %}{{ '<|user|>' + message['content'] }}{% endfor %}{{ '<|assistant|>' }}"

/** Weights far enough from zero that some tokens are likely and a mistake anywhere shows. */
export function randomModel(): ModelFolder {
  const tokenizerJson = trainBpe([readFileSync(join(root, 'LICENSE'), 'utf8')], {
    vocabularySize: 640,
    addedTokens: [
      { content: '<|pad|>', special: true },
      { content: '<|user|>', special: true },
      { content: '<|assistant|>', special: true },
      { content: '<|end|>', special: true },
      { content: '<section>', special: false },
      { content: '</section>', special: false },
    ],
  })
  const config: LlamaConfig = {
    vocabularySize: 640,
    hiddenSize: 96,
    intermediateSize: 160,
    layers: 3,
    heads: 6,
    keyValueHeads: 2,
    headDimension: 32,
    ropeTheta: 10_000,
    rmsNormEpsilon: 1e-5,
    maxPositions: 512,
  }
  const weights = initialWeights(config, 7)
  for (const [name, values] of weights) {
    const isNorm = name.endsWith('norm.weight')
    const factor = name === 'model.norm.weight' ? 8 : /[qkvo]_proj|down_proj/.test(name) ? 2 : 1
    for (let i = 0; i < values.length; i++) {
      values[i] = values[i]! * factor * (isNorm ? 1 + 0.3 * Math.sin(i) : 1)
    }
  }
  const tokenizerConfig = {
    bos_token: null,
    eos_token: '<|end|>',
    pad_token: '<|pad|>',
    add_bos_token: false,
    chat_template: chatTemplate,
  }
  return { config, weights, tokenizerJson, tokenizerConfig, profile: undefined }
}

export const bundledFolder = join(root, 'models', 'nano')

/** Texts on which the two tokenizers must agree. */
export const texts: readonly string[] = [
  readFileSync(join(root, 'LICENSE'), 'utf8').slice(0, 3000),
  'In 1987 the harbour master, Ms. Okoye, wrote:  "we\'ll pay £1,250.75 by 03/04"\n\n\tand that\'s   it.  \n \n',
  'naïve façade — Zürich, Ελλάδα, Москва, 東京, مرحبا, 🙂🚀 x² ½ ٣٤',
  '  leading, trailing   ',
  '\r\n\r\nfunction f(a){return a+1}//  12 345 6\r\n',
]
