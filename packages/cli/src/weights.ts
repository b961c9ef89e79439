/** Tells apart models of the same name in this process. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { bundledModelFolder } from './backends.ts'

/**
 * SHA-256 of the weights of a model in this process, which distinguishes records of a model before and after training;
 * undefined for other models.
 * @param spec as in `ModelRequest`
 * @throws what reading throws
 */
export async function weightsOf(spec: string | undefined): Promise<string | undefined> {
  const gguf = /^gguf:(.+)$/s.exec(spec ?? '')?.[1]
  if (gguf !== undefined) return digestOf(partsOf(gguf))
  const folder = spec === undefined ? bundledModelFolder() : /^embedded:(.+)$/s.exec(spec)?.[1]
  if (folder === undefined) return undefined
  return (await import('@memagent/engine')).weightsDigest(folder)
}

/** For a model that is split into several files, llama.cpp takes the first. */
function partsOf(path: string): string[] {
  const [, name, count] = /^(.*)-00001-of-(\d{5})\.gguf$/s.exec(path) ?? []
  if (name === undefined) return [path]
  const number = (i: number) => String(i + 1).padStart(5, '0')
  return Array.from({ length: Number(count) }, (_, i) => `${name}-${number(i)}-of-${count}.gguf`)
}

/** Read in pieces: the files are gigabytes in size. */
async function digestOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) {
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer)
  }
  return `sha256:${hash.digest('hex')}`
}
