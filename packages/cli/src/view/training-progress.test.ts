import type { TrainingProgress } from '@memagent/train'
import { describe, expect, it } from 'vitest'
import { TerminalScreen } from './testing/screen.ts'
import { TrainingProgressView } from './training-progress.ts'

const progress = (change: Partial<TrainingProgress> = {}): TrainingProgress => ({
  step: 3,
  steps: 240,
  phase: 'rollouts',
  done: 12,
  total: 96,
  share: 0.25,
  seconds: 20,
  ...change,
})

describe('TrainingProgressView', () => {
  it('shows the progress and duration of the step on a terminal, in one line that is redrawn in place', () => {
    let ms = 0
    const screen = new TerminalScreen(100)
    const view = new TrainingProgressView(screen, () => ms)
    view.update(progress())
    expect(screen.text()).toBe('step 3 of 240: 12 of 96 rollouts done, 25 % read, 0:20, 1:00 left')
    // Not redrawn at every token, but at once when a phase begins.
    view.update(progress({ share: 0.26 }))
    expect(screen.text()).toContain('25 %')
    view.update(progress({ phase: 'learning', done: 0, total: 672, share: 0, seconds: 0 }))
    expect(screen.text()).toBe('step 3 of 240: 0 of 672 conversations trained, 0:00')
    ms = 300
    view.update(progress({ phase: 'learning', done: 336, total: 672, share: 0.5, seconds: 8 }))
    expect(screen.text()).toBe('step 3 of 240: 336 of 672 conversations trained, 0:08, 0:08 left')
    view.write('step 3 of 240: reward 0.5')
    view.update(progress({ phase: 'evaluation', done: 0, total: 8, share: 0.5, seconds: 8 }))
    expect(screen.text()).toBe(
      'step 3 of 240: reward 0.5\nevaluation after step 3: 0 of 8 documents done, 50 % read, 0:08, 0:08 left',
    )
    view.clear()
    expect(screen.text()).toBe('step 3 of 240: reward 0.5')
  })

  it('fits the width of a terminal', () => {
    const screen = new TerminalScreen(30)
    new TrainingProgressView(screen, () => 0).update(progress({ phase: 'scoring' }))
    expect(screen.text()).toBe('step 3 of 240: scoring 96 con')
  })

  it('prints a plain line every half minute elsewhere', () => {
    let ms = 0
    const written: string[] = []
    const view = new TrainingProgressView({ write: (text) => written.push(text) }, () => ms)
    for (; ms <= 70_000; ms += 1000) view.update(progress({ seconds: ms / 1000, share: ms / 100_000 }))
    view.clear()
    expect(written).toEqual([
      'step 3 of 240: 12 of 96 rollouts done, 30 % read, 0:30, 1:10 left\n',
      'step 3 of 240: 12 of 96 rollouts done, 60 % read, 1:00, 0:40 left\n',
    ])
  })
})
