/** What happens when nobody reads standard output any more, or a disk is full. */
import type { EventEmitter } from 'node:events'
import { exitCodes } from './failures.ts'
import type { Output } from './terminal.ts'

/** Of a program that a closed pipe ended: 128 and the number of SIGPIPE. */
const closedPipe = 141

export interface LosableOutputs {
  readonly stdout: EventEmitter
  readonly stderr: EventEmitter & Output
  readonly exit: (code: number) => void
}

/** Without standard output a run is pointless; without standard error it only is not told about. */
export function handleLostOutputs({ stdout, stderr, exit }: LosableOutputs): void {
  stderr.on('error', () => undefined)
  let isLost = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Every further write fails as well.
    if (isLost) return
    isLost = true
    if (error.code === 'EPIPE') return exit(closedPipe)
    stderr.write(`error: Cannot write to standard output: ${error.message}\n`)
    exit(exitCodes.failed)
  })
}
