/** Loads `pg`, an optional package that users of Postgres install. */
import { StoreError } from '../errors.ts'

/** @param load for tests @throws StoreError naming the command that installs the package if it is missing */
export async function loadPg(
  load: () => Promise<unknown> = () => import('pg'),
): Promise<typeof import('pg')> {
  try {
    const module = (await load()) as { readonly default: typeof import('pg') }
    return module.default
  } catch (cause) {
    const isAbsent = (cause as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND'
    throw new StoreError({
      code: isAbsent ? 'store/no-pg' : 'store/failed',
      message: isAbsent
        ? 'A store in Postgres needs the package pg, which is not installed.'
        : `The package pg is installed but cannot be loaded: ${(cause as Error).message}`,
      hint: 'npm install pg@8 (npm install --global pg@8, where memagent is installed globally).',
      cause,
    })
  }
}
