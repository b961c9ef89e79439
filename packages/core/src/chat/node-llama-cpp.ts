/**
 * The part of node-llama-cpp 3 that is used here, as an interface, and its loader. The package weighs 725 MB and is an
 * optional peer, so building or importing this one must need neither its types nor its code.
 */
import { ConfigurationError } from '../errors.ts'

export interface LlamaModule {
  getLlama(options: {
    gpu: 'auto' | false | string
    build: 'never'
    logLevel: 'error'
    progressLogs: false
    maxThreads?: number
  }): Promise<Llama>
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>
  dispose(): Promise<void>
}

export interface LlamaModel {
  tokenize(text: string, specialTokens: boolean): number[]
  detokenize(tokens: readonly number[], specialTokens: boolean): string
  isEogToken(token: number): boolean
  readonly tokens: {
    readonly bos: number | null
    readonly bosString: string | null
    readonly eosString: string | null
    readonly shouldPrependBosToken: boolean
  }
  readonly trainContextSize: number
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: string } } }
  createContext(options: { contextSize: number; sequences: number; threads?: number }): Promise<LlamaContext>
  dispose(): Promise<void>
}

export interface LlamaContext {
  /** Window of one sequence. */
  readonly contextSize: number
  getSequence(): LlamaSequence
  dispose(): Promise<void>
}

export interface LlamaSequence {
  clearHistory(): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>
  evaluateWithMetadata(
    tokens: readonly number[],
    metadata: { confidence: boolean },
    options: {
      temperature: number
      topP: number
      topK: number
      minP: number
      seed?: number
      yieldEogToken: boolean
    },
  ): AsyncGenerator<GeneratedToken, void, undefined>
  controlledEvaluate(
    tokens: readonly [token: number, options: { readonly generateNext: GenerateNext }][],
  ): Promise<({ next: { token?: number | null; confidence?: number } } | undefined)[]>
  /** How many tokens are evaluated so far. */
  readonly nextTokenIndex: number
  eraseContextTokenRanges(ranges: { readonly start: number; readonly end: number }[]): Promise<void>
  /** Evaluated tokens cannot simply be erased, as in recurrent models and with sliding windows. */
  readonly needsCheckpoints: boolean
}

export interface GeneratedToken {
  readonly token: number
  readonly confidence?: number
}

interface GenerateNext {
  readonly token: true
  readonly confidence: boolean
  readonly options: {
    readonly temperature: number
    readonly topP: number
    readonly topK: number
    readonly minP: number
  }
}

/** @throws ConfigurationError with the command that installs the package when it is absent */
export async function loadLlamaModule(
  load: () => Promise<unknown> = () => import(packageName),
): Promise<LlamaModule> {
  try {
    return (await load()) as LlamaModule
  } catch (cause) {
    const isAbsent = (cause as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND'
    throw new ConfigurationError({
      code: isAbsent ? 'gguf/not-installed' : 'gguf/not-loadable',
      message: isAbsent
        ? 'Reading GGUF files needs node-llama-cpp, which is not installed'
        : `node-llama-cpp is installed but cannot be loaded: ${(cause as Error).message}`,
      hint: 'npm install node-llama-cpp@3 (725 MB). Or serve the file with llama-server or Ollama and use its URL.',
      cause,
    })
  }
}

/** Not a literal in the import, so that no compiler or bundler tries to resolve it. */
const packageName: string = 'node-llama-cpp'
