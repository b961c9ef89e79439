/** Keeps one idle thread for the next file for a while: starting one takes longer than parsing a small file. */
import { ParserThread, type ThreadLimits } from './parser-thread.ts'

const idleMs = 2000

let idle: { readonly thread: ParserThread; readonly timer: NodeJS.Timeout } | undefined

export function takeThread(limits: ThreadLimits): ParserThread {
  const waiting = idle
  idle = undefined
  if (!waiting) return new ParserThread(limits)
  clearTimeout(waiting.timer)
  const { thread } = waiting
  if (
    thread.isAlive &&
    thread.limits.seconds === limits.seconds &&
    thread.limits.megabytes === limits.megabytes
  ) {
    return thread
  }
  void thread.end()
  return new ParserThread(limits)
}

/** Ends the thread if another one is idle already. */
export function giveBackThread(thread: ParserThread): void {
  if (idle) {
    void thread.end()
    return
  }
  const timer = setTimeout(() => {
    idle = undefined
    void thread.end()
  }, idleMs).unref()
  idle = { thread, timer }
}
