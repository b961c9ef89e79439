/** Loaders that users write, checked before they are used: their faults are errors that name the loader and the file. */
import { MemAgentError, recognizedKinds } from '@memagent/core'
import { badOption } from './bad-option.ts'
import { loaderFailed } from './failures.ts'
import type { ByteSource, Entry, LoadedText, Loader } from './loader.ts'
import { loaders as ownLoaders } from './registry.ts'

/** Those of this package, and those that `guarded` made. */
const checked = new WeakSet<Loader>(ownLoaders)

/**
 * The loaders that a program gives, as they can be used.
 * @param given @default those of this package
 * @throws ConfigurationError that names what is no loader
 */
export function usableLoaders(given: readonly Loader[] = ownLoaders): readonly Loader[] {
  if (!Array.isArray(given)) throw badOption('loaders is no list', usual)
  return given.map((loader: Loader, i) => {
    if (checked.has(loader)) return loader
    const problems = problemsOfLoader(loader, given.toSpliced(i, 1))
    if (problems.length === 0) return guarded(loader, loader.fingerprint)
    throw badOption(`loaders[${i}] is no loader:\n  ${problems.join('\n  ')}`, whatLoadersTake)
  })
}

const usual = 'Write loaders: [mine, ...loaders], with the `loaders` of @memagent/documents.'

/** @param fingerprint of its code, if it is known */
export function guarded(loader: Loader, fingerprint: string | undefined): Loader {
  const { name, version, kinds, isVerbatim, isContainer } = loader
  const safe: Loader = {
    ...{ name, version, kinds, isVerbatim, isContainer, fingerprint },
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
          const problem = problemOfLoaded(loaded)
          if (problem !== undefined) throw new TypeError(`it gave ${problem}`)
          yield loaded
        }
      } catch (error) {
        context.signal?.throwIfAborted()
        throw MemAgentError.isInstance(error) ? error : loaderFailed(name, source.name, error)
      }
    },
  }
  checked.add(safe)
  return safe
}

function problemOfLoaded(loaded: Partial<LoadedText & Entry> | undefined): string | undefined {
  if (loaded?.entry !== undefined) {
    const { name, stream } = Object(loaded.entry) as Partial<ByteSource>
    return typeof name === 'string' && typeof stream === 'function' ? undefined : 'an entry that is no source'
  }
  if (typeof loaded?.text !== 'string') return 'something without a text'
  const { position = {} } = loaded
  const isPosition = typeof position === 'object' && position !== null
  return isPosition && Object.entries(position).every(isPlace) ? undefined : 'a position that is none'
}

/** Quotes are shown with it: a wrong one would fail only after a reading. */
function isPlace([name, value]: [string, unknown]): boolean {
  if (value === undefined) return true
  if (name === 'headings') return Array.isArray(value) && value.every((one) => typeof one === 'string')
  return name === 'sheet' ? typeof value === 'string' : Number.isSafeInteger(value)
}

export const whatLoadersTake = 'docs/documents.md says what it takes; examples/own-loader.ts is a whole one.'

export function problemsOfLoader(loader: unknown, others: readonly Loader[]): string[] {
  if (loader === undefined) return ['there is none']
  if (typeof loader !== 'object' || loader === null) return ['an object is wanted']
  const { name, version, kinds, claims, load }: { readonly [field in keyof Loader]?: unknown } = loader
  const problems: string[] = []
  if (typeof name !== 'string' || !/^[a-z\d-]+$/.test(name)) {
    problems.push('name: a word of small letters, digits and "-" is wanted')
  } else if (others.some((other) => other?.name === name)) {
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
