/** What every published package states about itself, and what installing the workspace must not do. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const folders = ['packages', 'models'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
)
const { engines, workspaces, allowScripts } = json('package.json')

it('every package is a workspace', () => {
  expect([...workspaces].sort()).toEqual([...folders].sort())
})

/** For packages that publish more than their build. */
const published: Readonly<Record<string, readonly string[]>> = {
  'models/nano': ['*.json', '*.safetensors', '*.jinja'],
  'packages/tasks': ['dist', 'data'],
  'packages/cli': ['dist', 'schemas'],
}

// An example that fails leaves what it made.
const temporary = temporaryFolder(beforeEach, afterEach)

describe.each(folders)('%s', (folder) => {
  const manifest = json(`${folder}/package.json`)
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')

  it('says what it is, what it needs and under which licence', () => {
    expect(manifest.description).toMatch(/^[A-Z].{20,}\.$/)
    expect(manifest.keywords).toContain('memagent')
    expect(manifest.keywords.length).toBeGreaterThanOrEqual(3)
    expect(manifest.license).toBe('Apache-2.0')
    expect(manifest.engines).toEqual(engines)
    expect(manifest.private).toBeUndefined()
  })

  it('publishes what was built or trained, the licence and a README', () => {
    expect(manifest.files.filter((name: string) => name !== 'README.md')).toEqual(
      published[folder] ?? ['dist'],
    )
    const licence = readFileSync(join(root, folder, 'LICENSE'), 'utf8')
    expect(licence).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
    expect(readme).toContain(`npm install`)
    expect(readme).toContain(manifest.name)
  })

  // `npm run test:packages` tries that of the command.
  it.skipIf(folder === 'packages/cli')('has an example that prints what it says', () => {
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
    const args = ['--conditions=@memagent/source', '--input-type=module']
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      input: example,
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: temporary.path, TMP: temporary.path, TEMP: temporary.path },
    })
    expect(stderr.includes('web/not-built'), 'The page is not built: npm run build:page').toBe(false)
    expect(stderr).toBe('')
    const said = [...example.matchAll(/\) \/\/ (.*)$/gm)].map(([, text]) => text)
    expect(said.length).toBeGreaterThan(0)
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(said))
  })
})

/** They require Node 20.19, from which on CommonJS can require ES modules; what uses them here imports them. */
const imported = 'dom-serializer domelementtype domhandler domutils entities html-to-text htmlparser2'.split(
  ' ',
)

it('nothing that is installed asks for a newer Node than the workspace does', () => {
  const [major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node)!.slice(1).map(Number) as [number, number]
  const allows = (range: string, isMinor: boolean) =>
    range.split('||').some((part) => {
      const [, sign = '', least, more = '0'] = /^\s*(>=|>|\^|~)?\s*v?(\d+)(?:\.(\d+))?/.exec(part) ?? []
      if (least === undefined || (sign.startsWith('>') && Number(least) < major)) return true
      return Number(least) === major && (!isMinor || sign === '' || Number(more) <= minor)
    })
  const locked: Record<string, { engines?: { node?: string }; dev?: boolean }> =
    json('package-lock.json').packages
  const wrong = Object.entries(locked)
    .filter(([path, { engines, dev }]) => {
      const isMinor = !dev && !imported.includes(path.replace('node_modules/', ''))
      return !allows(engines?.node ?? '*', isMinor)
    })
    .map(([path, { engines }]) => `${path}: ${engines?.node}`)
  expect(wrong).toEqual([])
})

it('installing runs no script that downloads: CUDA libraries are not used', () => {
  // npm before 11.19 does not know allowScripts, and runs the scripts that the lockfile announces. After an update of
  // onnxruntime-node, remove its hasInstallScript from the lockfile again.
  const locked = json('package-lock.json').packages
  const scripted = Object.keys(locked).filter(
    (path) => locked[path].hasInstallScript && !locked[path].optional,
  )
  expect(scripted).toEqual(['node_modules/node'])
  expect(allowScripts['onnxruntime-node']).toBe(false)
})

it('CONTRIBUTING names files, scripts and tables that exist', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, one]) => one!)
  const paths = code.filter((one) => /^(packages|models|recipes|test|docs)\//.test(one))
  expect(paths.length).toBeGreaterThan(20)
  // NAME stands for the new file.
  expect(paths.filter((path) => !existsSync(join(root, path.replace(/\/[^/]*NAME.*$/, ''))))).toEqual([])
  const scripts = code.flatMap((one) => /^(?:npm run )?([a-z]+:[a-z-]+)/.exec(one)?.[1] ?? [])
  expect(scripts.filter((script) => json('package.json').scripts[script] === undefined)).toEqual([])
  const tables = [...text.matchAll(/`(\w+)` in `([^`]+\.ts)`/g)]
  expect(tables.length).toBeGreaterThan(6)
  expect(
    tables
      .filter(([, name, path]) => !readFileSync(join(root, path!), 'utf8').includes(` ${name}`))
      .map(String),
  ).toEqual([])
})
