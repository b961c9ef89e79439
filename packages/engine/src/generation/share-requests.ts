/** Which worker takes which requests. A function of the requests and loads alone, so that runs repeat themselves. */
import { findFamilies } from './families.ts'

/**
 * Prompts that begin alike go to one worker, which reads once what they share, unless that would leave others idle; then
 * to the worker with the least.
 * @param loads requests that each worker has already
 * @returns one list a worker
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
