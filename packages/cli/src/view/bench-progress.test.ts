import type { BenchProgress } from '@memagent/bench'
import { describe, expect, it } from 'vitest'
import { BenchProgressView } from './bench-progress.ts'
import { noColors } from './colors.ts'
import { TerminalScreen } from './testing/screen.ts'

const at = (recorded: number, secondsLeft?: number): BenchProgress => ({
  planned: 2000,
  recorded,
  failed: 0,
  underWay: 4,
  share: recorded / 2000,
  tokens: 10_000 * recorded,
  seconds: 100,
  secondsLeft,
})
const failure = (method: string, index: number) => ({
  method,
  key: `task/8000/${index}/${method}/model`,
  error: { code: 'chat/timeout', message: 'no answer\nin time' },
})

function screenOf(columns: number | undefined) {
  const time = { ms: 0 }
  const screen = columns === undefined ? undefined : new TerminalScreen(columns)
  let plain = ''
  const view = new BenchProgressView({
    output: screen ?? { write: (part: string) => (plain += part) },
    colors: noColors,
    now: () => time.ms,
  })
  return { view, time, text: () => (screen ? `${screen.text()}\n` : plain) }
}

describe('BenchProgressView', () => {
  it('redraws a bar with rate and remaining time in place, below the failures', () => {
    const { view, time, text } = screenOf(120)
    view.update(at(100))
    time.ms = 200
    view.update(at(500, 3725))
    view.record(failure('truncate', 0))
    time.ms = 400
    view.update({ ...at(1000, 100), failed: 1 })
    view.end()
    expect(text()).toBe(
      `failed: task/8000/0/truncate/model: no answer in time (chat/timeout; others like it are not told)\n${'█'.repeat(15)}${'░'.repeat(15)}  50 %, 1,000 of 2,000 samples, 1 failed, 100,000 tokens/s, 1:40, 1:40 left\n`,
    )
  })

  it('shows the first failure of each kind', () => {
    const { view, text } = screenOf(undefined)
    for (const method of ['truncate', 'truncate', 'bm25']) view.record(failure(method, 7))
    view.record({ method: 'whole', key: 'a', error: undefined })
    expect(text().match(/failed: \S+/g)).toEqual([
      'failed: task/8000/7/truncate/model:',
      'failed: task/8000/7/bm25/model:',
    ])
  })

  it('fits a narrow terminal', () => {
    const { view, text } = screenOf(40)
    view.update(at(500, 3725))
    expect(text()).toBe('25 %, 500 of 2,000 samples, 50,000 toke\n')
  })

  const wait = {
    call: 'embeddings',
    reason: 'rate limit (429)',
    code: 'chat/rate-limited',
    seconds: 12,
    attempt: 3,
  } as const
  const waiting = 'Waiting 12 s before attempt 3: rate limit (429) (embeddings)'

  it('shows a wait for the server while it lasts', () => {
    const { view, time, text } = screenOf(200)
    view.wait(wait)
    time.ms = 1000
    view.update(at(500))
    expect(text()).toContain(`  ${waiting}, 25 %`)
    time.ms = 13_000
    view.update(at(500))
    expect(text()).not.toContain('Waiting')
  })

  it('prints waits without a terminal, but concurrent ones only now and then', () => {
    const { view, time, text } = screenOf(undefined)
    for (time.ms = 0; time.ms < 15_000; time.ms += 1000) view.wait(wait)
    expect(text()).toBe(`${waiting}\n${waiting}\n`)
  })

  it('prints a plain line now and then without a terminal', () => {
    const { view, time, text } = screenOf(undefined)
    for (time.ms = 0; time.ms <= 65_000; time.ms += 1000) view.update(at(time.ms / 1000, 10))
    view.end()
    expect(text()).toBe(
      '1 %, 30 of 2,000 samples, 3,000 tokens/s, 1:40, 0:10 left\n3 %, 60 of 2,000 samples, 6,000 tokens/s, 1:40, 0:10 left\n',
    )
  })
})
