/**
 * Finds or installs node-llama-cpp (725 MB, so neither a dependency nor in this folder), and names the little of it
 * that the comparison uses.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface LlamaModel {
  tokenize(text: string, specialTokens?: boolean): number[]
  detokenize(tokens: readonly number[], specialTokens?: boolean): string
  isEogToken(token: number): boolean
  createContext(options: object): Promise<{ getSequence(): LlamaSequence; dispose(): Promise<void> }>
  dispose(): Promise<void>
}

export interface LlamaSequence {
  controlledEvaluate(
    input: (number | [number, { generateNext: { logits: true } }])[],
  ): Promise<({ next: { logits?: Map<number, number> } } | undefined)[]>
  clearHistory(): Promise<void>
}

interface LlamaCpp {
  getLlama(
    options: object,
  ): Promise<{ loadModel(options: object): Promise<LlamaModel>; dispose(): Promise<void> }>
}

/** @param folder holds or will hold `node_modules`. @default a folder of the version under the temporary directory */
export async function loadLlamaCpp(folder?: string): Promise<LlamaCpp> {
  const manifest = join(import.meta.dirname, 'package.json')
  const version: string = JSON.parse(readFileSync(manifest, 'utf8')).dependencies['node-llama-cpp']
  const home = folder ?? join(tmpdir(), `memagent-node-llama-cpp-${version}`)
  const place = join(home, 'node_modules', 'node-llama-cpp')
  if (!existsSync(place)) {
    mkdirSync(home, { recursive: true })
    copyFileSync(manifest, join(home, 'package.json'))
    console.log(`Installing node-llama-cpp ${version} (725 MB) into ${home} ...`)
    const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: home,
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error(`npm install ended with status ${status} in ${home}.`)
  }
  const found: string = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')).version
  if (found !== version)
    throw new Error(`${place} is version ${found}; this comparison was made for ${version}.`)
  return import(pathToFileURL(join(place, 'dist', 'index.js')).href)
}
