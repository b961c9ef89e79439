/** Assigns requests to workers: a pure function of requests and loads, so runs are reproducible. */
import { findFamilies } from './families.ts'

/**
 * Prompts with a common prefix go to one worker, which reads it once, up to an even share per worker. Each share goes to the
 * least loaded worker.
 * @param loads number of requests that each worker already has
 * @returns one list per worker
 */
export function shareRequests<T extends { readonly promptTokens: ArrayLike<number> }>(
  requests: readonly T[],
  loads: readonly number[],
): T[][] {
  const shares = loads.map((): T[] => [])
  const load = (worker: number) => loads[worker]! + shares[worker]!.length
  const most = Math.ceil(requests.length / loads.length)
  for (const { trunkLength, members } of findFamilies(requests, 1)) {
    const size = trunkLength === 0 ? 1 : most
    for (let at = 0; at < members.length; at += size) {
      let least = 0
      for (let worker = 1; worker < loads.length; worker++) if (load(worker) < load(least)) least = worker
      shares[least]!.push(...members.slice(at, at + size))
    }
  }
  return shares
}
