/** The worker thread of `GeneratorWorkers`: a generator driven by messages. */
import { parentPort, workerData } from 'node:worker_threads'
import { MemAgentError } from '@memagent/core'
import { shareNativeCalls } from '../onnx/native-calls.ts'
import { TextGenerator } from './generator.ts'
import type { GenerationRequest } from './request.ts'
import type { ErrorParts, FromWorker, ToWorker, WorkerData } from './worker-messages.ts'

const port = parentPort!
const send = (message: FromWorker) => port.postMessage(message)
const { config, weights, options, calls } = workerData as WorkerData
shareNativeCalls(calls)
const running = new Map<number, AbortController>()

function partsOf(error: unknown): ErrorParts {
  const { message } = error as Error
  return { code: MemAgentError.isInstance(error) ? error.code : 'engine/generation-failed', message }
}

async function answer(
  generator: Promise<TextGenerator>,
  id: number,
  request: GenerationRequest,
): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const [result] = await (await generator).generate([request], controller.signal)
    send({ type: 'result', id, result: result! })
  } catch (error) {
    send({ type: 'error', id, error: partsOf(error) })
  } finally {
    running.delete(id)
  }
}

try {
  let generator = Promise.resolve(await TextGenerator.create(config, weights, options))
  port.on('message', async (message: ToWorker) => {
    if (message.type === 'generate') {
      for (const { id, request } of message.requests) void answer(generator, id, request)
    } else if (message.type === 'abort') {
      running.get(message.id)?.abort()
    } else if (message.type === 'load') {
      const before = generator
      generator = before.then(async (old) => {
        await old.release()
        return TextGenerator.create(config, message.weights, options)
      })
      generator.then(
        () => send({ type: 'loaded', id: message.id }),
        (error) => send({ type: 'error', id: message.id, error: partsOf(error) }),
      )
    } else {
      await generator.then(
        (last) => last.release(),
        () => undefined,
      )
      port.close()
    }
  })
  send({ type: 'ready' })
} catch (error) {
  send({ type: 'failed', error: partsOf(error) })
}
