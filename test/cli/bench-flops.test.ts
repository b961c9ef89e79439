/** `memagent bench flops`: the formula's numbers as a table, as JSON and as CSV. */
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

const config = join(resolve(import.meta.dirname, '../..'), 'models/nano/config.json')
const flops = (...args: string[]) => runCommand(['bench', 'flops', config, '--lengths', '8k,3.5m', ...args])

describe('bench flops', { timeout: 60_000 }, () => {
  it('shows a row for each length', async () => {
    const { code, stdout } = await flops()
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.trim().split(/\s+/)[0])).toEqual([
      'length',
      '8k',
      '3.5m',
      'FLOPs',
      '',
    ])
  })

  it('prints the same numbers as JSON and as CSV', async () => {
    const shape = ['--question', '30', '--chunk', '300', '--response', '48']
    const [json, csv] = await Promise.all([flops('--json', ...shape), flops('--csv', ...shape)])
    const { rows, ...rest } = JSON.parse(json.stdout)
    expect(rest).toMatchObject({
      architecture: { hiddenSize: 192, layers: 6 },
      shape: { question: 30, chunk: 300, response: 48 },
    })
    expect(csv.stdout.split('\r\n')).toEqual([
      'length_tokens,dense_flops,reader_flops,dense_per_reader',
      ...rows.map((row: object) => Object.values(row).join(',')),
      '',
    ])
    expect(rows.map(({ lengthTokens }: { lengthTokens: number }) => lengthTokens)).toEqual([8000, 3_500_000])
  })

  it('names what is wrong with a file', async () => {
    const { code, stderr } = await runCommand(['bench', 'flops', 'nowhere/config.json'])
    expect(code).toBe(2)
    expect(stderr).toContain("Use the config.json from the model's repository.")
  })
})
