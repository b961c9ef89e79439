/**
 * Releases the packages: builds, packs, installs the tarballs in an empty folder, tries them there, and publishes them, each
 * after those that it depends on.
 *
 *   npm run release                                    everything but publishing; says what would be published
 *   npm run release -- --version 0.2.0                 writes the version everywhere, and ends
 *   npm run release -- --repository https://...        writes the public address of the source everywhere, and ends
 *   npm run release -- --publish                       publishes, with provenance: in hosted CI that may issue OIDC tokens
 *   npm run release -- --publish --no-provenance       publishes from any machine that is logged in
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { problemsOf, readPackages, setRepository, setVersion } from './manifests.ts'
import { run, say } from './run.ts'
import { tryPackages } from './try-packages.ts'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    repository: { type: 'string' },
    publish: { type: 'boolean', default: false },
    provenance: { type: 'boolean', default: true },
  },
  allowNegative: true,
})

if (values.version !== undefined) setVersion(root, values.version, new Date().toISOString().slice(0, 10))
if (values.repository !== undefined) setRepository(root, values.repository)
if (values.version === undefined && values.repository === undefined) release(values)

function release({ publish, provenance }: { readonly publish: boolean; readonly provenance: boolean }): void {
  const packages = readPackages(root)
  const problems = problemsOf(packages, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  if (publish && run('git', ['status', '--porcelain'], root) !== '')
    problems.push('Not everything is committed.')
  if (publish && problems.length > 0) {
    process.stderr.write(`Nothing is published:\n${problems.map((problem) => `- ${problem}\n`).join('')}`)
    process.exitCode = 1
    return
  }

  const folder = mkdtempSync(join(tmpdir(), 'memagent-release-'))
  try {
    // An earlier build may contain files whose source no longer exists.
    for (const path of packages.flatMap((one) =>
      ['dist', 'tsconfig.tsbuildinfo'].map((name) => join(one.folder, name)),
    ))
      rmSync(join(root, path), { recursive: true, force: true })
    run('npm', ['run', 'build'], root)
    const packed = packages.map((one) => {
      const [{ filename, size }] = JSON.parse(
        run('npm', ['pack', '--json', '--pack-destination', folder], join(root, one.folder)),
      )
      say(`packed ${filename}, ${(size / 1024).toFixed(0)} KiB`)
      return { ...one.manifest, tarball: join(folder, filename) }
    })
    const elsewhere = join(folder, 'installed')
    mkdirSync(elsewhere)
    tryPackages(
      packed.map(({ tarball }) => tarball),
      packed.map(({ name }) => name),
      elsewhere,
      root,
    )

    for (const { name, version, tarball } of packed) {
      const args = ['publish', tarball, '--access', 'public', ...(provenance ? ['--provenance'] : [])]
      if (!publish)
        say(`would publish ${name}@${version}: npm ${args.join(' ').replace(tarball, basename(tarball))}`)
      else if (isPublished(name, version)) say(`${name}@${version} is published already`)
      else {
        run('npm', args, root)
        say(`published ${name}@${version}`)
      }
    }
    if (!publish && problems.length > 0)
      say(`Before that:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A release that failed halfway can be run again. */
function isPublished(name: string, version: string): boolean {
  try {
    return run('npm', ['view', `${name}@${version}`, 'version'], root).trim() === version
  } catch {
    // Not found: npm exits with 1.
    return false
  }
}
