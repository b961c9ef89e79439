/** Reads mutated files of the corpus: each must be read or refused in time, leaving nothing behind. */
import { readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { corpusFile, corpusFiles, outcomeOf } from './corpus.ts'
import { mutate, randomOf } from './mutate.ts'

export interface FuzzOptions {
  readonly count: number
  readonly seed: number
  /** Where the mutated files are written; `onFile` may remove them. */
  readonly folder: string
  readonly onFile?: (file: FuzzedFile) => void
}

export interface FuzzedFile {
  readonly path: string
  readonly origin: string
  /** `read`, the code of an error, or what else was thrown. */
  readonly outcome: string
  readonly isPromised: boolean
  readonly seconds: number
}

/** Limits that suit mutated files of at most a few megabytes. */
const limits = { parseSeconds: 20, parseMegabytes: 256 }

/** @returns how often each outcome occurred, and the files with an outcome that is not promised */
export async function fuzz({ count, seed, folder, onFile }: FuzzOptions) {
  const files = corpusFiles.map((name) => ({ name, bytes: readFileSync(corpusFile(name)) }))
  const outcomes = new Map<string, number>()
  const broken: FuzzedFile[] = []
  for (let i = 0; i < count; i++) {
    const random = randomOf(seed + i)
    const { name, bytes } = files[i % files.length]!
    const path = join(folder, `${seed + i}${extname(name)}`)
    writeFileSync(path, await mutate(bytes, random, files[Math.floor(random() * files.length)]!.bytes))
    const started = performance.now()
    let isPromised = true
    const outcome = await outcomeOf(path, { limits }).catch((error: unknown) => {
      isPromised = false
      return String(error instanceof Error ? error.stack : error)
    })
    const file = { path, origin: name, outcome, isPromised, seconds: (performance.now() - started) / 1000 }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (!isPromised) broken.push(file)
    onFile?.(file)
  }
  return { outcomes, broken }
}
