/**
 * `process.exit` ends worker threads wherever they are, and a thread that it ends within ONNX Runtime aborts the process. So the
 * end of the process waits for the calls that are running, and no other call begins.
 */

/** Shared by a worker and its owner: how many calls are running, loading the runtime among them, and whether the process ends. */
export type NativeCalls = Int32Array<SharedArrayBuffer>
const running = 0
const ending = 1

const longestWaitMs = 5000
const watched = new Set<NativeCalls>()
let own: NativeCalls | undefined

/** In the owner, before it starts a worker. @returns `calls` for the worker, and what to call once it has ended */
export function watchNativeCalls(): { readonly calls: NativeCalls; readonly unwatch: () => void } {
  const calls = new Int32Array(new SharedArrayBuffer(8))
  calls[running] = 1
  if (watched.size === 0) process.on('exit', waitForCalls)
  watched.add(calls)
  const unwatch = () => {
    watched.delete(calls)
    if (watched.size === 0) process.off('exit', waitForCalls)
  }
  return { calls, unwatch }
}

function waitForCalls(): void {
  for (const calls of watched) Atomics.store(calls, ending, 1)
  const end = performance.now() + longestWaitMs
  for (const calls of watched) {
    for (let count = calls[running]!; count > 0; count = Atomics.load(calls, running)) {
      if (Atomics.wait(calls, running, count, end - performance.now()) === 'timed-out') return
    }
  }
}

/** In the worker, once its modules are loaded. */
export function shareNativeCalls(calls: NativeCalls): void {
  own = calls
  end(calls)
}

/** Makes a call of the runtime. While the process ends, it blocks the thread instead. */
export async function nativeCall<Result>(call: () => Promise<Result>): Promise<Result> {
  if (!own) return call()
  const calls = own
  Atomics.add(calls, running, 1)
  if (Atomics.load(calls, ending) === 1) {
    end(calls)
    Atomics.wait(calls, ending, 1)
  }
  try {
    return await call()
  } finally {
    end(calls)
  }
}

function end(calls: NativeCalls): void {
  Atomics.sub(calls, running, 1)
  Atomics.notify(calls, running)
}
