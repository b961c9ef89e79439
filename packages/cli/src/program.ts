/** The version of memagent, for its records. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

const file = fileURLToPath(import.meta.url)

/**
 * `0.1.0`, or from a checkout with its commit: `0.1.0, commit 09fd239…`, or `…, with changes`.
 * @param source a file of the program: the commit is added only if git tracks it, so not that of a project it is installed in
 */
export async function programName(source: string = file): Promise<string> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', ['--no-optional-locks', ...args], { cwd: dirname(source) })).stdout
  try {
    await git('ls-files', '--error-unmatch', source)
    const commit = (await git('rev-parse', 'HEAD')).trim()
    const changed = await git('status', '--porcelain', '--untracked-files=no')
    return `${version}, commit ${commit}${changed === '' ? '' : ', with changes'}`
  } catch {
    return version
  }
}
