/** The packages that are published: what their manifests say, and writing a version or an address into all of them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly repository?: unknown
}

export interface Package {
  /** From the root: `packages/core`. */
  readonly folder: string
  readonly manifest: Manifest
}

/** Every workspace, each after those that it depends on: the order to publish them in. */
export function readPackages(root: string): Package[] {
  const { workspaces } = readJson(join(root, 'package.json')) as { workspaces: string[] }
  const open = workspaces.map((folder) => ({
    folder,
    manifest: readJson(join(root, folder, 'package.json')) as unknown as Manifest,
  }))
  const ordered: Package[] = []
  while (open.length > 0) {
    const next = open.findIndex(({ manifest }) =>
      open.every(({ manifest: { name } }) => manifest.dependencies?.[name] === undefined),
    )
    if (next === -1) throw new Error(`Packages depend on each other in a circle: ${namesOf(open)}.`)
    ordered.push(...open.splice(next, 1))
  }
  return ordered
}

/** What keeps these packages from being published, one sentence each. Empty: nothing. */
export function problemsOf(packages: readonly Package[], changelog: string): string[] {
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]))
  const [version] = versions.values()
  const otherVersion = packages.filter(({ manifest }) => manifest.version !== version)
  const otherDependency = packages.filter(({ manifest: { dependencies, peerDependencies } }) =>
    Object.entries({ ...dependencies, ...peerDependencies }).some(
      ([name, wanted]) => versions.has(name) && wanted !== versions.get(name),
    ),
  )
  const homeless = packages.filter(({ manifest }) => manifest.repository === undefined)
  return [
    otherVersion.length > 0 &&
      `Not at version ${version}: ${namesOf(otherVersion)}. Run with --version ${version}.`,
    otherDependency.length > 0 &&
      `Depends on another version of a package here: ${namesOf(otherDependency)}. Run with --version ${version}.`,
    homeless.length > 0 &&
      `No \`repository\` in ${namesOf(homeless)}. Run with --repository URL, the public address of the source.`,
    !changelog.includes(`## [${version}]`) &&
      `CHANGELOG.md has no section [${version}]. Run with --version ${version}, which dates what is unreleased.`,
  ].filter((problem) => problem !== false)
}

/** Writes the version into every manifest, the dependencies among them and the lockfile, and dates the changelog. */
export function setVersion(root: string, version: string, date: string): void {
  const packages = readPackages(root)
  const names = new Set(packages.map(({ manifest }) => manifest.name))
  const at = (manifest: Json): Json => ({
    ...manifest,
    version,
    ...Object.fromEntries(
      ['dependencies', 'peerDependencies']
        .filter((field) => manifest[field] != null)
        .map((field) => [
          field,
          Object.fromEntries(
            Object.entries(manifest[field] as Json).map(([name, wanted]) => [
              name,
              names.has(name) ? version : wanted,
            ]),
          ),
        ]),
    ),
  })
  const folders = ['', ...packages.map(({ folder }) => folder)]
  for (const folder of folders) editJson(join(root, folder, 'package.json'), at)
  editJson(join(root, 'package-lock.json'), (lock) => {
    const entries = lock.packages as Record<string, Json>
    return {
      ...lock,
      version,
      packages: {
        ...entries,
        ...Object.fromEntries(folders.map((folder) => [folder, at(entries[folder]!)])),
      },
    }
  })
  const path = join(root, 'CHANGELOG.md')
  const changelog = readFileSync(path, 'utf8')
  if (changelog.includes(`## [${version}]`)) return
  writeFileSync(
    path,
    changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`),
  )
}

/** @param url of the repository's page, as `https://github.com/OWNER/NAME` */
export function setRepository(root: string, url: string): void {
  for (const { folder } of readPackages(root)) {
    const repository = { type: 'git', url: `git+${url.replace(/(\.git)?\/?$/, '.git')}`, directory: folder }
    editJson(join(root, folder, 'package.json'), ({ repository: _, ...manifest }) =>
      Object.fromEntries(
        Object.entries(manifest).flatMap((entry) =>
          entry[0] === 'license' ? [entry, ['repository', repository]] : [entry],
        ),
      ),
    )
  }
}

type Json = Record<string, unknown>

const namesOf = (packages: readonly Package[]) => packages.map(({ manifest }) => manifest.name).join(', ')
const readJson = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'))
const editJson = (path: string, edit: (value: Json) => Json) =>
  writeFileSync(path, `${JSON.stringify(edit(readJson(path)), null, 2)}\n`)
