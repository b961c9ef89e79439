/** Handles a closed standard output and a full disk. */
import type { EventEmitter } from 'node:events'
import { exitCodes } from './failures.ts'
import type { Output } from './terminal.ts'

/** Exit code of a program that a closed pipe ended: 128 plus the number of SIGPIPE. */
const closedPipe = 141

export interface LosableOutputs {
  readonly stdout: EventEmitter
  readonly stderr: EventEmitter & Output
  readonly exit: (code: number) => void
}

/** Without standard output a run is pointless; without standard error only its messages are lost. */
export function handleLostOutputs({ stdout, stderr, exit }: LosableOutputs): void {
  stderr.on('error', () => undefined)
  let isLost = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Every further write would fail as well.
    if (isLost) return
    isLost = true
    if (error.code === 'EPIPE') return exit(closedPipe)
    stderr.write(`error: Cannot write to standard output: ${error.message}\n`)
    exit(exitCodes.failed)
  })
}
