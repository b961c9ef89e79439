/**
 * How long there is at least one call in the runtime, in this thread or in workers: what is left of the time is this
 * project's own. Imported, it watches the thread that imports it; workers that start later import it first.
 */
import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'
import { InferenceSession } from '../packages/engine/src/onnx/runtime.ts'

const key = 'memagent-runtime-clock'
const shared = ((workerThreads.getEnvironmentData(key) as unknown) ??
  new SharedArrayBuffer(32)) as SharedArrayBuffer
const counts = new Int32Array(shared, 0, 2)
const [lock, active] = [0, 1]
const times = new Float64Array(shared, 8, 3)
const [since, busy, loading] = [0, 1, 2]
const now = () => performance.timeOrigin + performance.now()

function locked<T>(work: () => T): T {
  while (Atomics.compareExchange(counts, lock, 0, 1) !== 0);
  try {
    return work()
  } finally {
    Atomics.store(counts, lock, 0)
  }
}

function change(by: 1 | -1): void {
  locked(() => {
    const time = now()
    if (counts[active]! > 0) times[busy] = times[busy]! + time - times[since]!
    times[since] = time
    counts[active] = counts[active]! + by
  })
}

async function timed<T>(call: () => Promise<T>): Promise<T> {
  change(1)
  try {
    return await call()
  } finally {
    change(-1)
  }
}

/**
 * Since the last call, milliseconds: with any call in the runtime, and the sum of those that loaded a graph with weights.
 * Nothing may be running.
 */
export function readRuntimeClock(): { readonly busyMs: number; readonly loadingMs: number } {
  return locked(() => {
    const result = { busyMs: times[busy]!, loadingMs: times[loading]! }
    times[busy] = times[loading] = 0
    return result
  })
}

interface Runtime {
  create(...args: unknown[]): Promise<unknown>
  readonly prototype: { run(...args: unknown[]): Promise<unknown> }
}
// Declared as a factory, it is a class.
const runtime = InferenceSession as unknown as Runtime
const { run } = runtime.prototype
runtime.prototype.run = function (...args) {
  return timed(() => run.apply(this, args))
}
const create = runtime.create
runtime.create = async (...args) => {
  const startMs = now()
  try {
    return await timed(() => create.apply(runtime, args))
  } finally {
    locked(() => {
      times[loading] = times[loading]! + now() - startMs
    })
  }
}

if (workerThreads.isMainThread) {
  workerThreads.setEnvironmentData(key, shared as never)
  const { Worker } = workerThreads
  workerThreads.Worker = class extends Worker {
    constructor(file: string | URL, options: workerThreads.WorkerOptions = {}) {
      super(file, { ...options, execArgv: [...(options.execArgv ?? []), '--import', import.meta.url] })
    }
  }
  syncBuiltinESMExports()
}
