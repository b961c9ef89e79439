/** Options of `memagent serve` that are refused at once, with the correct form. */
import { expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { checkedServeFlags } from './serve-checks.ts'

it.each([
  [['--port', '99999'], '--port must be a whole number from 0 to 65535, not 99999.'],
  [['--port', '-1'], '--port must be'],
  [['--origin', 'nonsense'], /--origin must be .*, not nonsense\.\n.*--origin https:\/\/app\.example/],
  [['--origin', '*'], '--origin must be'],
  [['--origin', 'https://app.example/page'], /not https:.*\n +Give: --origin https:\/\/app\.example\/?\n/],
  [['--host', 'http://x'], /--host must be .*, not http:\/\/x\/?\.\n +Give: --host x\n/],
  [['--host', 'box.example:8642'], 'Give: --host box.example\n'],
  [['--host', '::1'], /Give: --host \[::1\]\n/],
  [['--host', 'good.example', 'a b'], 'not a b.'],
  [['--name='], '--name must not be empty'],
  [['--no-store', '--store', 'runs.sqlite'], '--store and --no-store contradict each other'],
  [['--store', 'runs.sqlite', '--no-store'], '--store and --no-store contradict each other'],
  [['--demo', '--store', 'runs.sqlite'], '--demo does not go with --store: '],
  [['--demo', '--no-store'], '--demo does not go with --no-store: '],
])('%j', async (args, told) => {
  const { code, stderr, stdout } = await runMain(['serve', ...args], {})
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(told)])
})

it('an origin is taken as browsers send it', () => {
  const origin = [
    'https://app.example/',
    'https://App.example',
    'http://localhost:5173',
    'https://b.example:443',
  ]
  const normal = ['https://app.example', 'https://app.example', 'http://localhost:5173', 'https://b.example']
  expect(checkedServeFlags({ origin, host: ['Box.example', '10.0.0.7', '[fe80::1]'] })).toMatchObject({
    origin: normal,
  })
})
