/** Loads the user's own loaders, by the paths of their modules. */
import { ConfigurationError } from '@memagent/core'
import { loadModule } from '@memagent/core/node'
import { badOption } from './bad-option.ts'
import type { Loader } from './loader.ts'
import { guarded, problemsOfLoader, whatLoadersTake } from './own-loaders.ts'
import { loaders } from './registry.ts'

/**
 * @param paths of modules whose default export is a `Loader`, such as `./sqlite.ts`
 * @returns the loaders, for `openDocuments({ loaders: [...own, ...loaders] })`, with the hash of their code in `fingerprint`
 * @throws ConfigurationError if a module cannot be loaded, or its default export lacks something
 */
export async function loadLoaders(paths: readonly string[]): Promise<readonly Loader[]> {
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === 'string'))
    throw badOption('paths is no list of paths of modules', "Write loadLoaders(['./own-loader.ts']).")
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
    throw broken(`its default export is no loader:\n  ${problems.join('\n  ')}`, whatLoadersTake)
  }
  return guarded(exports.default as Loader, hash)
}
