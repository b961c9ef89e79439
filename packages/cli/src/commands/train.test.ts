/** What the commands of `memagent train` refuse before they train. */
import { readFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { initialWeights, saveModelFolder } from '@memagent/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
