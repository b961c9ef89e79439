/** Loads the user's own loaders, by the paths of their modules. */
import { ConfigurationError, MemAgentError, recognizedKinds } from '@memagent/core'
import { loadModule } from '@memagent/core/node'
import { loaderFailed } from './failures.ts'
import type { Entry, LoadedText, Loader } from './loader.ts'
import { loaders } from './registry.ts'

/**
 * @param paths of modules whose default export is a `Loader`, such as `./sqlite.ts`
 * @returns the loaders, for `openDocuments({ loaders: [...own, ...loaders] })`, with the hash of their code in `fingerprint`
 * @throws ConfigurationError if a module cannot be loaded, or its default export lacks something
 */
export async function loadLoaders(paths: readonly string[]): Promise<readonly Loader[]> {
  const loaded: Loader[] = []
  for (const path of paths) loaded.push(await loadLoader(path, [...loaders, ...loaded]))
  return loaded
}

async function loadLoader(path: string, others: readonly Loader[]): Promise<Loader> {
  const broken = (reason: string, hint?: string, cause?: unknown) =>
    new ConfigurationError({
      code: 'document/bad-module',
      message: `The loader module ${path}: ${reason}.`,
      hint,
      details: { path },
      cause,
    })
  const { exports, hash } = await loadModule(path, broken)
  const problems = problemsOfLoader(exports.default, others)
  if (problems.length > 0) {
    throw broken(`its default export is no loader:\n  ${problems.join('\n  ')}`, example)
  }
  const loader = exports.default as Loader
  const { name, version, kinds, isVerbatim, isContainer } = loader
  return {
    ...{ name, version, kinds, isVerbatim, isContainer, fingerprint: hash },
    // Called on the object itself, which may be an instance of a class.
    claims(start) {
      const claimed: unknown = loader.claims?.(start)
      if (claimed instanceof Promise) {
        // Nobody else handles its failure, which would end the process.
        claimed.catch(() => undefined)
        throw new TypeError('claims gave a promise, not true or false')
      }
      return Boolean(claimed)
    },
    async *load(source, context, start) {
      try {
        for await (const loaded of loader.load(source, context, start)) {
          if (!isLoaded(loaded)) throw new TypeError('it gave something without a text')
          yield loaded
        }
      } catch (error) {
        context.signal?.throwIfAborted()
        throw MemAgentError.isInstance(error) ? error : loaderFailed(name, source.name, error)
      }
    },
  }
}

const isLoaded = (loaded: Partial<LoadedText & Entry> | undefined): boolean =>
  loaded?.entry !== undefined || typeof loaded?.text === 'string'

const example = 'docs/documents.md says what it takes; examples/own-loader.ts is a whole one.'

function problemsOfLoader(loader: unknown, others: readonly Loader[]): string[] {
  if (loader === undefined) return ['there is none']
  if (typeof loader !== 'object' || loader === null) return ['an object is wanted']
  const { name, version, kinds, claims, load }: { readonly [field in keyof Loader]?: unknown } = loader
  const problems: string[] = []
  if (typeof name !== 'string' || !/^[a-z\d-]+$/.test(name)) {
    problems.push('name: a word of small letters, digits and "-" is wanted')
  } else if (others.some((other) => other.name === name)) {
    problems.push(`name: there is another loader named ${name}; give it a name of its own`)
  }
  if (!Number.isSafeInteger(version)) problems.push('version: a whole number is wanted')
  if (kinds === undefined && claims === undefined) {
    problems.push('kinds, claims: at least one is wanted; otherwise it would read nothing')
  }
  if (kinds !== undefined && !(Array.isArray(kinds) && kinds.every((kind) => typeof kind === 'string'))) {
    problems.push('kinds: a list of kinds of content is wanted, such as ["sqlite"], or nothing')
  } else {
    const unknown = ((kinds ?? []) as readonly string[]).filter((kind) => !recognizedKinds.has(kind))
    if (unknown.length > 0) {
      problems.push(
        `kinds: there is no ${unknown.join(', no ')}; recognized are ${[...recognizedKinds].sort().join(', ')}`,
      )
    }
  }
  if (claims !== undefined && typeof claims !== 'function') {
    problems.push('claims: a function is wanted: claims(start), or nothing')
  }
  if (typeof load !== 'function') problems.push('load: a function is wanted: load(source, context, start)')
  return problems
}
