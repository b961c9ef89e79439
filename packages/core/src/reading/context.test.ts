import { describe, expect, it } from 'vitest'
import { createScriptedModel, type Script } from '../chat/scripted.ts'
import { MemAgentError } from '../errors.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { parallel } from '../workflows/parallel/parallel.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { collect, modelOf, report } from './testing/short-reading.ts'

describe('several conversations at a time', () => {
  const workflow = parallel as unknown as Workflow

  it('stay within the concurrency', async () => {
    let [active, peak] = [0, 0]
    const script: Script = async () => {
      peak = Math.max(peak, ++active)
      await new Promise((resolve) => setTimeout(resolve, 1))
      active--
      return report()
    }
    await collect({ model: modelOf(script), workflow, concurrency: 2 })
    expect(peak).toBe(2)
  })

  it('are ended by the first that fails, and none is left running', async () => {
    let [running, aborted] = [0, 0]
    const script: Script = async ({ index, options }) => {
      if (index === 2) throw new MemAgentError({ code: 'x', message: 'first failure' })
      running++
      await new Promise<void>((resolve) => {
        const end = () => {
          aborted++
          resolve()
        }
        if (options.signal?.aborted) end()
        else options.signal?.addEventListener('abort', end)
      })
      running--
      throw options.signal?.reason
    }
    await expect(collect({ model: modelOf(script), workflow, concurrency: 4 })).rejects.toThrow(
      'first failure',
    )
    expect({ running, aborted }).toEqual({ running: 0, aborted: 3 })
  })

  it('are not held again after a kill: the journal has them', async () => {
    const checkpoints = createMemoryCheckpointStore()
    const whole = await collect({ model: modelOf(report), workflow })
    const first = createScriptedModel(
      ({ index }) => {
        if (index === 3) throw new MemAgentError({ code: 'x', message: 'killed' })
        return report()
      },
      { profile: contractProfile },
    )
    await expect(collect({ model: first, workflow, checkpoints, concurrency: 1 })).rejects.toThrow('killed')
    const second = createScriptedModel(report, { profile: contractProfile })
    const events = await collect({ model: second, workflow, checkpoints, concurrency: 1 })
    const [end, wholeEnd] = [events.at(-1), whole.at(-1)]
    if (end?.type !== 'answer' || wholeEnd?.type !== 'answer') return expect.unreachable()
    expect(end.usage).toEqual(wholeEnd.usage)
    expect(first.calls.length - 1 + second.calls.length).toBe(wholeEnd.usage.calls)
  })
})
