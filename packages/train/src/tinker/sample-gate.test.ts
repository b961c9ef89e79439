import { describe, expect, it } from 'vitest'
import { SampleGate } from './sample-gate.ts'

async function peakOf(gate: SampleGate, tasks: number): Promise<number> {
  let [active, peak] = [0, 0]
  const task = async () => {
    peak = Math.max(peak, ++active)
    await new Promise((resolve) => setTimeout(resolve, 1))
    active--
  }
  await Promise.all(Array.from({ length: tasks }, () => gate.run(task)))
  return peak
}

describe('SampleGate', () => {
  it('runs no more than its limit at the same time, and all in the end', async () => {
    expect(await peakOf(new SampleGate(() => 0, { maxSamples: 3 }), 20)).toBe(3)
  })

  it('runs fewer for a while after the server complained', async () => {
    let now = 0
    const gate = new SampleGate(() => now, { maxSamples: 8, maxThrottled: 2, quietMs: 100 })
    gate.throttle()
    expect(await peakOf(gate, 12)).toBe(2)
    now = 100
    expect(await peakOf(gate, 12)).toBe(8)
  })

  it('admits no more than have left when several end together', async () => {
    const gate = new SampleGate(() => 0, { maxSamples: 4 })
    let [active, peak] = [0, 0]
    let end: () => void = () => undefined
    const together = new Promise<void>((resolve) => {
      end = resolve
    })
    const tasks = Array.from({ length: 30 }, () =>
      gate.run(async () => {
        peak = Math.max(peak, ++active)
        await together
        active--
      }),
    )
    setTimeout(end, 2)
    await Promise.all(tasks)
    expect(peak).toBe(4)
  })

  it('keeps its room when tasks fail or leave the queue', async () => {
    const gate = new SampleGate(() => 0, { maxSamples: 1 })
    const controller = new AbortController()
    const running = gate.run(() => new Promise((resolve) => setTimeout(resolve, 3)))
    const waiting = gate.run(async () => 'never', controller.signal)
    const failing = gate.run(() => Promise.reject(new Error('failed')))
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(failing).rejects.toThrow('failed')
    await running
    expect(await gate.run(async () => 'free')).toBe('free')
  })
})
