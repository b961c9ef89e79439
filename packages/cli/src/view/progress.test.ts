import type { ReadingEvent } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { clock, ProgressView } from './progress.ts'

const escapeSign = String.fromCharCode(27)
const erasure = new RegExp(`(${escapeSign}\\[\\d+A${escapeSign}\\[0J|\\n)`)

/** Applies what the view writes, as a terminal does with the two sequences it uses. */
function screen(columns: number) {
  let lines: string[] = ['']
  return {
    isTTY: true,
    columns,
    write(text: string) {
      for (const part of text.split(erasure)) {
        const up = new RegExp(`^${escapeSign}\\[(\\d+)A`).exec(part)
        if (up) lines = [...lines.slice(0, lines.length - 1 - Number(up[1])), '']
        else if (part === '\n') lines.push('')
        else lines[lines.length - 1] += part
      }
    },
    text: () => lines.join('\n').trimEnd(),
  }
}

const chunk = (tokens: number, bytes: number) => ({ type: 'chunk-end', tokens, bytes }) as ReadingEvent
const memory = (text: string, previous: string, origin = 'model') =>
  ({ type: 'memory-end', memory: text, previous, changed: text !== previous, origin }) as ReadingEvent

function viewOn(output: ReturnType<typeof screen>, isColored = false) {
  const time = { ms: 0 }
  const view = new ProgressView({ output, sizeBytes: 1000, isColored, now: () => time.ms })
  return { view, time }
}

describe('ProgressView', () => {
  it('draws a bar with rate and remaining time over itself, and the memory', () => {
    const output = screen(100)
    const { view, time } = viewOn(output)
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

  it('goes on with a bar where an earlier run stopped, at the rate of this one', () => {
    const output = screen(100)
    const { view, time } = viewOn(output)
    const usage = { chunkTokens: 120, bytes: 600, keptMemories: 0 }
    view.handle({ type: 'reading-start', resumedSteps: 12, usage } as ReadingEvent)
    time.ms = 1000
    view.handle(memory('The code is 7.', 'The code is 7.'))
    view.handle(chunk(20, 100))
    view.end()
    expect(output.text()).toBe(
      `${'█'.repeat(21)}${'░'.repeat(9)}  70 %, 140 tokens, 20/s, step 13, 0:01, 0:03 left\nmemory: The code is 7.`,
    )
  })

  it('marks what changed in the memory, wraps it, and never fills more than six lines', () => {
    const output = screen(40)
    const { view, time } = viewOn(output, true)
    view.handle(memory('old words', ''))
    view.handle(memory('old new words', 'old words'))
    time.ms = 500
    view.handle(chunk(1, 1))
    expect(output.text()).toContain('\x1b[32mnew \x1b[39m')
    view.handle(memory('word '.repeat(400), ''))
    time.ms = 1000
    view.handle(chunk(1, 1))
    expect(output.text().split('\n').length).toBeLessThanOrEqual(7)
  })

  it('keeps notes above the view and tells of kept memories', () => {
    const output = screen(120)
    const { view, time } = viewOn(output)
    time.ms = 200
    view.handle(memory('a', 'a', 'kept'))
    view.handle(chunk(1, 10))
    view.note('Going on after step 3.')
    view.end()
    expect(output.text()).toMatch(/^Going on after step 3\.\n[█░]+ .*1 rewrites kept the previous memory/)
  })

  it('writes a plain line now and then without a terminal', () => {
    const written: string[] = []
    let now = 0
    const view = new ProgressView({
      output: { write: (text: string) => written.push(text) },
      sizeBytes: undefined,
      isColored: false,
      now: () => now,
    })
    for (now = 0; now <= 25_000; now += 1000) view.handle(chunk(10, 40))
    view.end()
    expect(written).toEqual(['110 tokens, 11/s, step 11, 0:10\n', '210 tokens, 11/s, step 21, 0:20\n'])
  })
})

describe('clock', () => {
  it('shows minutes, and hours when there are some', () => {
    expect([5, 65, 3725].map(clock)).toEqual(['0:05', '1:05', '1:02:05'])
  })
})
