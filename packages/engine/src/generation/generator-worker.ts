/** The worker thread of `GeneratorWorkers`: a generator that is asked by messages. */
import { parentPort, workerData } from 'node:worker_threads'
import { MemAgentError } from '@memagent/core'
import { Generator } from './generator.ts'
import type { ErrorParts, FromWorker, ToWorker, WorkerData } from './worker-messages.ts'

const port = parentPort!
const send = (message: FromWorker) => port.postMessage(message)
const { config, weights, options } = workerData as WorkerData
const running = new Map<number, AbortController>()

function partsOf(error: unknown): ErrorParts {
  const { message } = error as Error
  return { code: MemAgentError.isInstance(error) ? error.code : 'engine/generation-failed', message }
}

try {
  const generator = await Generator.create(config, weights, options)
  port.on('message', async (message: ToWorker) => {
    if (message.type === 'abort') {
      running.get(message.id)?.abort()
      return
    }
    if (message.type === 'release') {
      await generator.release()
      port.close()
      return
    }
    const { id, request } = message
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const [result] = await generator.generate([request], controller.signal)
      send({ type: 'result', id, result: result! })
    } catch (error) {
      send({ type: 'error', id, error: partsOf(error) })
    } finally {
      running.delete(id)
    }
  })
  send({ type: 'ready' })
} catch (error) {
  send({ type: 'failed', error: partsOf(error) })
}
