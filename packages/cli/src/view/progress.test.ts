import { stripVTControlCharacters } from 'node:util'
import type { ReadingEvent } from '@memagent/core'
import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import { noColors } from './colors.ts'
import { clock, ProgressView } from './progress.ts'
import { TerminalScreen } from './testing/screen.ts'
import { textWidth } from './text-width.ts'

const chunk = (tokens: number, bytes: number) => ({ type: 'chunk-end', tokens, bytes }) as ReadingEvent
const memory = (text: string, previous: string, origin = 'model') =>
  ({ type: 'memory-end', memory: text, previous, changed: text !== previous, origin }) as ReadingEvent

const usage = { chunkTokens: 0, bytes: 0, keptMemories: 0 }
const start = (more: object = {}) =>
  ({ type: 'reading-start', sizeBytes: 1000, resumedSteps: 0, usage, ...more }) as ReadingEvent

function viewOn(columns: number, colors = noColors) {
  const time = { ms: 0 }
  const output = new TerminalScreen(columns)
  const view = new ProgressView({ output, colors, now: () => time.ms })
  return { view, time, output }
}

describe('ProgressView', () => {
  it('redraws a bar with rate and remaining time in place, and the memory', () => {
    const { view, time, output } = viewOn(100)
    view.handle(start())
    time.ms = 1000
    view.handle(memory('The code is 7.', ''))
    view.handle(chunk(50, 250))
    expect(output.text()).toBe(
      `${'█'.repeat(8)}${'░'.repeat(22)}  25 %, 50 tokens, 50/s, step 1, 0:01, 0:03 left\nmemory: The code is 7.`,
    )
    time.ms = 2000
    view.handle(chunk(50, 250))
    view.end()
    expect(output.text()).toMatch(
      /^█{15}░{15} {2}50 %, 100 tokens, 50\/s, step 2, 0:02, 0:02 left\nmemory: The code is 7\.$/,
    )
  })

  it('shows how much of a pass is read, where the text is read several times', () => {
    const { view, time, output } = viewOn(120)
    view.handle(start({ passes: 3 }))
    const status = (bytes: number) => {
      time.ms += 1000
      view.handle(chunk(50, bytes))
      return output.text().split('\n')[0]
    }
    expect(status(250)).toContain(
      'pass 1 of at most 3, 25 %, 50 tokens, 50/s, step 1, 0:01, 0:03 left in this pass',
    )
    expect(status(750)).toMatch(/pass 1 of at most 3, 100 %, .*0:02$/)
    expect(status(250)).toMatch(/^█+░+ .*pass 2 of at most 3, 25 %, .*left in this pass$/)
    expect(status(750)).not.toContain('asking')
    expect(status(1000)).toMatch(/pass 3 of at most 3, 100 %, .*asking for the answer$/)
  })

  it('shows the calls that were made ahead for nothing, with those before a resume', () => {
    const { view, time, output } = viewOn(120)
    view.handle(start({ resumedSteps: 3, usage: { ...usage, wasted: { calls: 1 } } }))
    time.ms = 1000
    view.handle(chunk(50, 250))
    expect(output.text()).toContain('step 4, 0:01, 0:03 left, 1 call ahead wasted')
    time.ms = 2000
    view.handle({ ...chunk(50, 250), wasted: { calls: 7 } } as ReadingEvent)
    expect(output.text()).toContain(', 8 calls ahead wasted')
  })

  it('shows where each line of a memory ends', () => {
    const { view, time, output } = viewOn(80)
    view.handle(start())
    time.ms = 1000
    view.handle(memory('Ann came.\nBob  left.', ''))
    view.handle(chunk(50, 250))
    expect(output.text()).toMatch(/\nmemory: Ann came\. · Bob left\.$/)
  })

  it('shows from the start what it waits for, and for how long', () => {
    const { view, time, output } = viewOn(80)
    view.waitFor('loading the model')
    expect(output.text()).toBe('Loading the model, 0:00')
    time.ms = 2000
    view.tick()
    expect(output.text()).toBe('Loading the model, 0:02')
    view.waitFor('reading the first chunk with embedded:nano')
    view.handle(start())
    time.ms = 5000
    view.tick()
    expect(output.text()).toBe('Reading the first chunk with embedded:nano, 0:03')
    view.handle(chunk(50, 250))
    expect(output.text()).toMatch(/^█.* 25 %, .*\nmemory: nothing yet$/)
    time.ms = 6000
    view.handle(chunk(150, 750))
    expect(output.text()).toContain('100 %, 200 tokens, 50/s, step 2, 0:04, asking for the answer')
    view.end()
    expect(output.text()).not.toContain('asking')
  })

  it('leaves no trace of the wait when nothing was read', () => {
    const { view, output } = viewOn(80)
    view.note('A line.')
    view.waitFor('loading the model')
    view.end()
    view.end()
    output.write('error: no\n')
    expect(output.text()).toBe('A line.\nerror: no')
  })

  it('counts the remaining time down between two chunks, by at most the duration of a chunk', () => {
    const { view, time, output } = viewOn(100)
    const left = () => /(\d:\d\d) left/.exec(output.text())![1]
    view.handle(start())
    time.ms = 10_000
    view.handle(chunk(50, 250))
    expect(left()).toBe('0:30')
    for (const [ms, expected] of [
      [11_000, '0:29'],
      [15_000, '0:25'],
      [20_000, '0:20'],
      [60_000, '0:20'],
    ] as const) {
      time.ms = ms
      view.tick()
      expect(left()).toBe(expected)
      expect(output.text()).toContain(' 5/s, ')
    }
  })

  it('shows a wait between two attempts while it lasts', () => {
    const { view, time, output } = viewOn(100)
    const wait = { type: 'wait', call: 'chat', reason: 'rate limit (429)', seconds: 30, attempt: 2 }
    view.handle(start())
    view.waitFor('reading the first chunk with m')
    view.handle(wait as ReadingEvent)
    expect(output.text()).toMatch(/^Reading .*\nWaiting 0:30 before attempt 2: rate limit \(429\)$/)
    time.ms = 10_000
    view.tick()
    expect(output.text()).toContain('Waiting 0:20 before attempt 2')
    time.ms = 31_000
    view.tick()
    expect(output.text()).toMatch(/\nAttempt 2, after rate limit \(429\)$/)
    view.handle(chunk(50, 250))
    expect(output.text()).not.toContain('Waiting')
  })

  it('continues the bar where an earlier run stopped, at the rate of this one', () => {
    const { view, time, output } = viewOn(100)
    view.handle(start({ resumedSteps: 12, usage: { chunkTokens: 120, bytes: 600, keptMemories: 0 } }))
    time.ms = 1000
    view.handle(memory('The code is 7.', 'The code is 7.'))
    view.handle(chunk(20, 100))
    view.end()
    expect(output.text()).toBe(
      `${'█'.repeat(21)}${'░'.repeat(9)}  70 %, 140 tokens, 20/s, step 13, 0:01, 0:03 left\nmemory: The code is 7.`,
    )
  })

  it('marks what changed in the memory, wraps it, and never fills more than six lines', () => {
    let written = ''
    const output = { isTTY: true, columns: 40, write: (text: string) => (written += text) }
    const time = { ms: 0 }
    const view = new ProgressView({ output, colors: pc.createColors(true), now: () => time.ms })
    view.handle(start())
    view.handle(memory('old words', ''))
    view.handle(memory('old new words', 'old words'))
    time.ms = 500
    view.handle(chunk(1, 1))
    expect(written).toContain('\x1b[32mnew \x1b[39m')
    written = ''
    view.handle(memory('word '.repeat(400), ''))
    time.ms = 1000
    view.handle(chunk(1, 1))
    expect(written.split('\n').length).toBeLessThanOrEqual(8)
  })

  it.each([
    ['words', 'word '.repeat(100)],
    ['one long word', 'x'.repeat(300)],
    ['wide characters', '漢字かな交じり文'.repeat(30)],
  ])('draws no line that the terminal would wrap: %s', (_, text) => {
    for (const columns of [20, 40, 79, 200]) {
      let written = ''
      const output = { isTTY: true, columns, write: (part: string) => (written += part) }
      const view = new ProgressView({ output, colors: noColors, now: () => 0 })
      view.handle(start())
      view.waitFor(`reading the first chunk with ${text}`)
      view.handle(memory(text, ''))
      view.handle(chunk(5, 5))
      view.end()
      const lines = stripVTControlCharacters(written).split(/[\n\r]/)
      for (const line of lines) expect(textWidth(line)).toBeLessThan(columns)
    }
  })

  it('redraws in place after ^C was typed, and leaves no trace of it', () => {
    const { view, time, output } = viewOn(80)
    view.handle(start())
    view.handle(chunk(50, 250))
    output.type('^C')
    time.ms = 1000
    view.handle(chunk(50, 250))
    expect(output.text().split('\n')).toEqual([
      expect.stringMatching(/^█+░+ {2}50 %, /),
      'memory: nothing yet',
    ])
    output.type('^C')
    view.end()
    view.end()
    output.write('Interrupted.\n')
    expect(output.text().split('\n')).toEqual([
      expect.stringMatching(/^█+░+ {2}50 %, /),
      'memory: nothing yet',
      'Interrupted.',
    ])
  })

  it('redraws in place after the terminal became narrower or wider', () => {
    const { view, time, output } = viewOn(100)
    view.handle(start())
    view.handle(memory('The code is 7.', ''))
    for (const [i, columns] of [100, 37, 60, 24, 120].entries()) {
      output.columns = columns
      time.ms += 1000
      view.handle(chunk(50, 100))
      const lines = output.text().split('\n')
      expect(lines).toHaveLength(2)
      expect(lines[0]).toContain(`${i + 1}0 %`)
    }
  })

  it('keeps notes above the view and reports kept memories', () => {
    const { view, time, output } = viewOn(120)
    view.handle(start())
    time.ms = 200
    view.handle(memory('a', 'a', 'kept'))
    view.handle(chunk(1, 10))
    view.note('Going on after step 3.')
    view.end()
    expect(output.text()).toMatch(/^Going on after step 3\.\n[█░]+ .*1 step kept the previous memory/)
  })

  it('names the call that a warning is about', () => {
    const { view, output } = viewOn(80)
    const warn = (step: number, code: string) =>
      view.handle({ type: 'warning', step, code, message: 'It was cut.' })
    view.handle(start())
    warn(0, 'memory-cut')
    view.handle(chunk(50, 1000))
    warn(1, 'answer-cut')
    expect(output.text()).toContain('warning: It was cut. (step 1)')
    expect(output.text()).toContain('warning: It was cut. (final call)')
  })

  it('draws on a terminal that reports no columns as on one with 80', () => {
    const written: string[] = []
    const output = { isTTY: true, columns: 0, write: (text: string) => written.push(text) }
    const view = new ProgressView({ output, colors: noColors, now: () => 0 })
    view.waitFor('loading the model, which has a long name')
    view.waitFor('reading')
    view.end()
    expect(written.join('')).not.toContain('Infinity')
    expect(written[0]).toBe('Loading the model, which has a long name, 0:00\n')
  })

  it('prints every wait without a terminal', () => {
    const written: string[] = []
    const output = { write: (text: string) => written.push(text) }
    const view = new ProgressView({ output, colors: noColors, now: () => 0 })
    view.handle({
      type: 'wait',
      call: 'token-count',
      reason: 'rate \u001blimit',
      code: 'chat/rate-limited',
      seconds: 0.25,
      attempt: 3,
    })
    expect(written).toEqual(['Waiting 0.3 s before attempt 3: rate \\x1blimit (counting tokens)\n'])
  })

  it('prints a plain line after a second and then now and then without a terminal', () => {
    const written: string[] = []
    let now = 0
    const output = { write: (text: string) => written.push(text) }
    const view = new ProgressView({ output, colors: noColors, now: () => now })
    view.waitFor('loading the model')
    for (now = 0; now <= 3000; now += 500) view.tick()
    view.handle(start({ sizeBytes: undefined }))
    for (; now <= 25_000; now += 1000) view.handle(chunk(10, 40))
    view.end()
    expect(written).toEqual([
      'Loading the model, 0:01\n',
      '90 tokens, 11/s, step 9, 0:08\n',
      '190 tokens, 11/s, step 19, 0:18\n',
    ])
  })

  it('prints nothing without a terminal when everything is done within a second', () => {
    const written: string[] = []
    let now = 0
    const output = { write: (text: string) => written.push(text) }
    const view = new ProgressView({ output, colors: noColors, now: () => now })
    view.waitFor('loading the model')
    now = 900
    view.handle(start())
    view.handle(chunk(10, 1000))
    view.end()
    expect(written).toEqual([])
  })
})

describe('clock', () => {
  it('shows minutes, and hours when there are some', () => {
    expect([5, 65, 3725].map(clock)).toEqual(['0:05', '1:05', '1:02:05'])
  })
})
