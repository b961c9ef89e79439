/** What the commands of `memagent train` refuse, and how they are stopped. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { initialWeights, saveModelFolder } from '@memagent/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../main.ts'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const config = {
  ...{ vocabularySize: 4, hiddenSize: 4, intermediateSize: 4, layers: 1, heads: 1, keyValueHeads: 1 },
  ...{ headDimension: 4, ropeTheta: 10_000, rmsNormEpsilon: 1e-5, maxPositions: 8 },
}
const one = folder.join.bind(folder)

describe('memagent train average', () => {
  it('does not write over a model that it reads', async () => {
    for (const [i, name] of ['first', 'second'].entries()) {
      const weights = initialWeights(config, i + 1)
      await saveModelFolder(one(name), {
        config,
        weights,
        tokenizerJson: {},
        tokenizerConfig: {},
        profile: {},
      })
    }
    const before = await readFile(one('first', 'model.safetensors'))
    const refused = await runMain(['train', 'average', one('first'), one('first'), one('second')])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('(cli/same-folder)') })
    expect(await readFile(one('first', 'model.safetensors'))).toEqual(before)
    expect(await runMain(['train', 'average', one('mean'), one('first'), one('second')])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('the mean of 2 models'),
    })
  })

  it('warns of models that were trained for something else', async () => {
    const weights = initialWeights(config, 1)
    const files = { config, weights, tokenizerJson: {}, tokenizerConfig: {} }
    await saveModelFolder(one('edits'), { ...files, profile: { workflows: ['edits'] } })
    const { stderr } = await runMain(['train', 'average', one('mixed'), one('edits'), one('first')])
    expect(stderr).toMatch(/warning: The profile of .*first has other workflows than that of .*edits, which/)
  })

  it('takes no model for the folder to write', async () => {
    const before = await readFile(one('mean', 'model.safetensors'))
    expect(await runMain(['train', 'average', one('mean'), one('first'), one('second')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(cli/model-there)'),
    })
    expect(await runMain(['train', 'average', one('first'), one('second')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(cli/one-model)'),
    })
    expect(await readFile(one('mean', 'model.safetensors'))).toEqual(before)
  })
})

describe('memagent train rl --prices', () => {
  const rl = (...more: string[]) => runMain(['train', 'rl', '--config', one('none.yaml'), ...more])

  it('is for --dry-run', async () => {
    expect(await rl('--prices', '1,2,3')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--prices is for --dry-run/),
    })
  })

  it.each(['1,,3', '1,2', 'a,b,c', '-1,2,3', ', , '])('takes three numbers, not %s', async (prices) => {
    expect(await rl('--dry-run', `--prices=${prices}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--prices wants three numbers/),
    })
  })
})

it('--events ends with the failure, if there is one', async () => {
  for (const args of [['rl'], ['sft'], ['rl', '--dry-run'], ['rl', '--prices', one('prices.json')]]) {
    const { code, stdout } = await runMain(['train', ...args, '--config', one('none.yaml'), '--events'])
    expect(code).not.toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ type: 'failure', error: { code: expect.any(String) } })
  }
})

it('Ctrl-C is answered at once, and saves the last complete step', async () => {
  const words = 'river stone lamp seven window quiet market under yellow paper north engine'.split(' ')
  const sentence = (n: number) =>
    `The ${words.map((_, i) => words[(n + i * i) % words.length]).join(' ')} of it.`
  await mkdir(one('prose'))
  for (const file of [1, 2, 3]) {
    const text = Array.from({ length: 1400 }, (_, n) => sentence(n + file)).join(' ')
    await writeFile(one('prose', `${file}.txt`), text)
  }
  await writeFile(
    one('sft.yaml'),
    `
output: ${one('run')}
threads: 1
prose: { folder: ${one('prose')}, evaluationShare: 0.34 }
model: { vocabularySize: 400, hiddenSize: 16, intermediateSize: 24, layers: 1, heads: 2, keyValueHeads: 1, headDimension: 8, maxPositions: 512 }
budget: { window: 400, question: 96, chunk: 96, memory: 64, output: 64 }
optimizer: { learningRate: 0.01, finalLearningRate: 0.001, warmupSteps: 2 }
stages: [{ steps: 4000, sectionTokens: 96, rowTokens: 512, rows: 1, questions: 2, families: 1 }]
evaluation: { every: 5000, sections: 4, sectionTokens: 96 }
checkpointEvery: 5000
`,
  )
  let stderr = ''
  const ignore = { write: () => undefined }
  const code = await main(['train', 'sft', '--config', one('sft.yaml')], {
    stdin: (async function* () {
      yield ''
    })(),
    stdout: ignore,
    stderr: {
      write: (text) => {
        stderr += text
        if (text.startsWith('step 10 ')) process.emit('SIGINT')
      },
    },
    environment: {},
  })
  expect(code).toBe(130)
  expect(stderr).toMatch(
    /\nStopping: .* Ctrl-C again ends at once\.\nInterrupted\. Run the same command again/,
  )
  const { step } = JSON.parse(await readFile(one('run', 'checkpoint', 'state.json'), 'utf8'))
  expect(step).toBe(10)
})
