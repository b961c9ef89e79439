/** Versions and addresses are written into every manifest by one command, and nothing is published without them. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { problemsOf, readPackages, setRepository, setVersion } from '../scripts/manifests.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'memagent-manifests-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (path: string) => readFileSync(join(folder, path), 'utf8')
const packages = () => readPackages(folder)
const problems = () => problemsOf(packages(), text('CHANGELOG.md'))

beforeAll(() => {
  for (const path of [
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
    ...readPackages(root).map((one) => join(one.folder, 'package.json')),
  ]) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
})

it('publishes a package after those that it depends on', () => {
  const names = packages().map(({ manifest }) => manifest.name)
  expect(names).toHaveLength(readdirSync(join(root, 'packages')).length + 1)
  for (const { manifest } of packages()) {
    for (const dependency of Object.keys(manifest.dependencies ?? {}).filter((name) => names.includes(name)))
      expect(names.indexOf(dependency)).toBeLessThan(names.indexOf(manifest.name))
  }
})

it('is at one version as it stands', () => {
  expect(problems().filter((problem) => /^(Not at|Depends on)/.test(problem))).toEqual([])
})

it('writes a version everywhere, and the changelog gets its section', () => {
  const [unreleased, manifest] = [text('CHANGELOG.md'), text('packages/cli/package.json')]
  const { version } = JSON.parse(manifest)
  setVersion(folder, '9.8.7', '2030-01-02')
  for (const { manifest } of packages()) {
    expect(manifest.version).toBe('9.8.7')
    for (const [name, wanted] of Object.entries(manifest.dependencies ?? {}))
      expect(wanted === '9.8.7').toBe(/^(@memagent\/|memagent$)/.test(name))
  }
  expect(text('packages/cli/package.json')).toBe(manifest.replaceAll(`"${version}"`, '"9.8.7"'))
  const lock = JSON.parse(text('package-lock.json'))
  for (const path of ['', 'packages/core', 'models/nano']) expect(lock.packages[path].version).toBe('9.8.7')
  expect(lock.packages['packages/cli'].dependencies['@memagent/core']).toBe('9.8.7')
  expect(text('CHANGELOG.md').replace('\n\n## [9.8.7] - 2030-01-02', '')).toBe(unreleased)
  expect(problems()).toEqual([
    expect.stringMatching(/^No `repository` in @memagent\/core, .*--repository URL/),
  ])
})

it('writes the address of the source everywhere, with the folder', () => {
  setRepository(folder, 'https://example.org/someone/memagent')
  expect(JSON.parse(text('packages/train/package.json')).repository).toEqual({
    type: 'git',
    url: 'git+https://example.org/someone/memagent.git',
    directory: 'packages/train',
  })
  expect(problems()).toEqual([])
  const once = text('packages/train/package.json')
  setRepository(folder, 'https://example.org/someone/memagent.git')
  expect(text('packages/train/package.json')).toBe(once)
})

it('names packages at another version, and dependencies on one', () => {
  const [core, ...others] = packages()
  const older = { ...core!, manifest: { ...core!.manifest, version: '9.8.6' } }
  expect(problemsOf([...others, older], text('CHANGELOG.md'))).toEqual([
    'Not at version 9.8.7: @memagent/core. Run with --version 9.8.7.',
    expect.stringMatching(/^Depends on another version of a package here: .*@memagent\/engine, /),
  ])
})
