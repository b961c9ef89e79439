/** `--no-cache`, and a note on what was answered from the cache. */
import type { ReadingUsage } from '@memagent/core'
import type { Command } from 'commander'
import { count } from '../view/progress.ts'

export interface CacheFlags {
  /** False: neither use the cache nor add to it. @default true */
  readonly cache?: boolean
}

export const addCacheOption = (command: Command): Command =>
  command.option('--no-cache', 'do not reuse cached replies, and store none')

/** Undefined if no reply came from the cache. */
export function cacheText({ calls, fromCache }: ReadingUsage): string | undefined {
  if (!fromCache) return undefined
  const all = calls + fromCache.calls
  const which =
    calls === 0
      ? all === 1
        ? 'The only call was'
        : `All ${count(all)} calls were`
      : `${count(fromCache.calls)} of ${count(all)} calls ${fromCache.calls === 1 ? 'was' : 'were'}`
  return `${which} answered from the cache, without asking the model (--no-cache asks it).`
}
