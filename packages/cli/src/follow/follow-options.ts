/** `--follow`: a text that keeps growing, such as a log. */
import { realpath, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { decodeStream, readOnce, type TextDocument } from '@memagent/core'
import type { Command } from 'commander'
import { positive } from '../commands/reading-options.ts'
import { UsageError } from '../failures.ts'
import type { Terminal } from '../terminal.ts'
import { growingFile } from './growing-file.ts'
import { withPauses } from './pauses.ts'

export interface FollowFlags {
  readonly follow?: boolean
  /** Seconds. */
  readonly pause?: number
  readonly replaceInvalid?: boolean
  readonly loader?: readonly string[]
}

/** Seconds without new text before the text so far is read. */
export const defaultPause = 5

/** How long to wait for a signal after standard input ends. */
const endMs = 200

export const addFollowOptions = (command: Command): Command =>
  command
    .option(
      '--follow',
      'follow standard input or one growing file, and update the answer when the memory changes',
    )
    .option(
      '--pause <seconds>',
      `with --follow: seconds without new input before a partial chunk is read (default: ${defaultPause})`,
      positive('--pause'),
    )

export interface FollowedText {
  /** `-` or one file. */
  readonly path: string
  readonly flags: FollowFlags
  /** Names standard input in the store: each one is a different text. */
  readonly inputName?: string | undefined
  readonly isResumed: boolean
  /** Called when the file was replaced or cut, and is read from its start again. */
  readonly onRotation: (message: string) => void
}

/** @throws UsageError for what cannot be followed */
export async function openFollowed(
  { path, flags, inputName, isResumed, onRotation }: FollowedText,
  { stdin }: Pick<Terminal, 'stdin'>,
): Promise<TextDocument> {
  const { pause = defaultPause, replaceInvalid } = flags
  const invalidBytes = replaceInvalid ? 'replace' : 'error'
  const pauseMs = Math.max(1, Math.round(1000 * pause))
  if (path === '-') {
    if (stdin.isTTY) throw cannotFollow('Standard input is a terminal, not a text.')
    // A resumed run reads another text, whose lines and bytes count from the start.
    const name = isResumed ? `standard input since ${new Date().toISOString()}` : 'standard input'
    return readOnce({
      name,
      isReopenable: false,
      isLive: true,
      ...(inputName !== undefined && { fingerprint: async () => inputName }),
      open: (signal) =>
        withPauses(decodeStream(ended(stdin, signal), name, signal, { invalidBytes }), pauseMs),
    })
  }
  const status = await stat(path).catch(() => undefined)
  if (!status?.isFile()) throw cannotFollow(`${path} is no file.`)
  const whole = await realpath(path)
  return readOnce({
    name: path,
    isReopenable: false,
    canChange: true,
    fingerprint: async () => `followed:${whole}`,
    open: (signal) => withPauses(growingFile(path, { invalidBytes, signal, onRotation }), pauseMs),
  })
}

/** Ends on abort: a silent stream would keep the process alive. */
async function* ended(stdin: Terminal['stdin'], signal: AbortSignal | undefined) {
  const stop = () => (stdin as { destroy?(): unknown }).destroy?.()
  signal?.addEventListener('abort', stop, { once: true })
  yield* stdin
  // Ctrl-C also ends the command that feeds a pipe, which must not make the run look finished.
  await setTimeout(endMs)
  signal?.throwIfAborted()
}

/** The text to follow, if any. @throws UsageError for several texts, and for options that do not fit */
export function followedPath(
  files: readonly string[],
  { pause, follow, loader }: FollowFlags,
): string | undefined {
  if (!follow) {
    if (pause !== undefined) throw cannotFollow('--pause is for --follow.')
    return undefined
  }
  if (loader) throw cannotFollow('What is followed is plain text: --loader is for other kinds.')
  if (files.length > 1) throw cannotFollow('Several texts were named.')
  return files[0] ?? '-'
}

const cannotFollow = (why: string) =>
  new UsageError({
    code: 'cli/cannot-follow',
    message: why,
    hint: 'Follow standard input or one text file: tail -f app.log | memagent ask "QUESTION" --follow',
  })
