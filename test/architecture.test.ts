/**
 * The architecture's rules, checked on the source text: packages import only downwards and only what they declare, implementation
 * files never form a cycle of value imports, and the root entry of core stays free of Node and of native code.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** Room -> what it may import. Nothing imports cli; tasks, engine and documents do not see each other. */
const allowed: Record<string, readonly string[]> = {
  core: [],
  documents: ['@memagent/core'],
  engine: ['@memagent/core'],
  store: ['@memagent/core'],
  web: ['@memagent/core', '@memagent/store'],
  tasks: ['@memagent/core'],
  train: ['@memagent/core', '@memagent/engine', '@memagent/tasks'],
  bench: ['@memagent/core', '@memagent/tasks'],
  server: ['@memagent/core', '@memagent/documents', '@memagent/store', '@memagent/web'],
  'ai-sdk': ['@memagent/core', '@memagent/documents'],
  cli: [
    '@memagent/core',
    '@memagent/documents',
    '@memagent/engine',
    '@memagent/tasks',
    '@memagent/train',
    '@memagent/bench',
    '@memagent/nano',
    '@memagent/store',
    '@memagent/server',
    '@memagent/web',
  ],
}

interface Import {
  readonly specifier: string
  readonly isType: boolean
  readonly isDynamic: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const statics = [...text.matchAll(/^\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'/gm)]
  const bare = [...text.matchAll(/^\s*import\s+'([^']+)'/gm)]
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)]
  return [
    ...statics.map((match) => ({ specifier: match[2]!, isType: match[1] !== undefined, isDynamic: false })),
    ...bare.map((match) => ({ specifier: match[1]!, isType: false, isDynamic: false })),
    ...dynamic.map((match) => ({ specifier: match[1]!, isType: false, isDynamic: true })),
  ]
}

const filesOf = (room: string) =>
  readdirSync(join(root, 'packages', room, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(root, 'packages', room, 'src', name))

const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

describe.each(Object.keys(allowed))('room %s', (room) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', room, 'package.json'), 'utf8'))
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies }

  it('imports only downwards, only what it declares, and only public entries', () => {
    const wrong: string[] = []
    for (const file of filesOf(room)) {
      for (const { specifier } of importsOf(file)) {
        if (specifier.startsWith('node:')) continue
        const where = `${relative(root, file)}: ${specifier}`
        if (specifier.startsWith('.')) {
          const inRoom = resolve(dirname(file), specifier).startsWith(join(root, 'packages', room, 'src'))
          if (!inRoom) wrong.push(`${where} leaves the room`)
          continue
        }
        const name = packageName(specifier)
        const isRoom = name === 'memagent' || name.startsWith('@memagent/')
        if (isRoom && !allowed[room]!.includes(name)) wrong.push(`${where} points upwards or sideways`)
        if (!(name in declared)) wrong.push(`${where} is not declared in package.json`)
        if (isRoom && specifier.includes('/src/')) wrong.push(`${where} is an internal path`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('gives types that compile without what is optional', () => {
    const optional = Object.keys(manifest.peerDependenciesMeta ?? {})
    const seen = new Set<string>()
    const wrong: string[] = []
    const walk = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
      // What a declaration file may name; an import of values alone is left out of it.
      const named = /^(?:export\b|import\s+type\b|import\s*\{[^}]*\btype\s)[^;'"]*?from\s+'([^']+)'/gm
      for (const [, specifier] of text.matchAll(named)) {
        if (specifier!.startsWith('.')) walk(resolve(dirname(file), specifier!))
        else if (optional.includes(packageName(specifier!)))
          wrong.push(`${relative(root, file)}: ${specifier}`)
      }
    }
    const entries = Object.values(manifest.exports ?? {}) as { readonly '@memagent/source'?: string }[]
    for (const { '@memagent/source': source } of entries)
      if (source) walk(join(root, 'packages', room, source))
    expect(wrong).toEqual([])
  })

  it('has no cycle of value imports', () => {
    const graph = new Map(
      filesOf(room).map((file) => [
        file,
        importsOf(file)
          .filter(({ specifier, isType, isDynamic }) => specifier.startsWith('.') && !isType && !isDynamic)
          .map(({ specifier }) => resolve(dirname(file), specifier)),
      ]),
    )
    const done = new Set<string>()
    const visit = (file: string, path: readonly string[]): string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const next of graph.get(file) ?? []) {
        const cycle = visit(next, [...path, file])
        if (cycle) return cycle
      }
      done.add(file)
      return undefined
    }
    for (const file of graph.keys()) {
      expect(
        visit(file, [])
          ?.map((name) => relative(root, name))
          .join(' -> '),
      ).toBeUndefined()
    }
  })
})

describe('the root entry of core', () => {
  it('reaches neither node: modules nor native code', () => {
    const seen = new Set<string>()
    const wrong: string[] = []
    const walk = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      for (const { specifier, isType, isDynamic } of importsOf(file)) {
        if (isType) continue
        if (specifier.startsWith('.')) walk(resolve(dirname(file), specifier))
        else if (!isDynamic && (specifier.startsWith('node:') || specifier === 'node-llama-cpp')) {
          wrong.push(`${relative(root, file)}: ${specifier}`)
        }
      }
    }
    walk(join(root, 'packages/core/src/index.ts'))
    expect(wrong).toEqual([])
    expect(seen.size).toBeGreaterThan(1)
  })
})

describe('the engine', () => {
  it('loads its runtime from the module that first turns telemetry off', () => {
    const importers = ['packages', 'bench', 'test', 'recipes', 'models']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name),
        ),
      )
      .filter((name) => /\.m?ts$/.test(name) && !/node_modules|\.d\.ts$/.test(name))
      .filter((name) => importsOf(join(root, name)).some(({ specifier }) => specifier === 'onnxruntime-node'))
    expect(importers).toEqual(['packages/engine/src/onnx/runtime.ts'])
  })
})

describe('programs beside the packages', () => {
  const filesIn = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$/.test(name))
      .map((name) => join(root, folder, name))

  it('examples import public names alone, as programs of others do', () => {
    const files = filesIn('examples')
    expect(files.length).toBeGreaterThan(0)
    const published = [...Object.keys(allowed).map((room) => `@memagent/${room}`), '@memagent/nano']
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) =>
          specifier.startsWith('.')
            ? dirname(resolve(dirname(file), specifier)) !== join(root, 'examples')
            : !specifier.startsWith('node:') && !published.includes(packageName(specifier)),
        )
        .map(({ specifier }) => `${relative(root, file)}: ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  it('tests over all packages reach into none, but for what its own tests share', () => {
    const wrong = filesIn('test').flatMap((file) =>
      importsOf(file)
        .map(({ specifier }) => specifier)
        .filter((specifier) => /\/src\//.test(specifier) && !/\/src\/(.*\/)?testing\//.test(specifier))
        .map((specifier) => `${relative(root, file)}: ${specifier}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('folders', () => {
  it('have no drawer without a name', () => {
    const drawers = Object.keys(allowed)
      .flatMap(filesOf)
      .filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(relative(root, file)))
    expect(drawers).toEqual([])
  })
})

describe('the command line', () => {
  it('loads a command when it is named: a question loads nothing of training, tasks and benchmarks', () => {
    const seen = new Set<string>()
    const walk = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      for (const { specifier, isType, isDynamic } of importsOf(file)) {
        if (isType || isDynamic) continue
        if (specifier.startsWith('.')) walk(resolve(dirname(file), specifier))
        else if (specifier.startsWith('@memagent/')) seen.add(packageName(specifier))
      }
    }
    for (const file of ['bin.ts', 'main.ts', 'commands/ask.ts']) walk(join(root, 'packages/cli/src', file))
    expect([...seen].filter((name) => name.startsWith('@'))).toEqual(['@memagent/core'])
  })

  it('prints JSON by printJson alone, which keeps it from steering a terminal', () => {
    const others = filesOf('cli').filter(
      (file) => !file.endsWith('/terminal.ts') && readFileSync(file, 'utf8').includes('JSON.stringify'),
    )
    expect(others).toEqual([])
  })
})
