/** The container files name what exists; there is no Docker where the tests run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultPort } from '@memagent/server'
import { configurationSchema } from 'memagent'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const manifest = (folder: string) => JSON.parse(read(join(folder, 'package.json')))

/** `RUN`, `COPY`, each with its words; continued lines are joined. */
const instructions = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => /^(\S+)\s+(.*)$/.exec(line)!.slice(1) as [name: string, words: string])
const of = (name: string) => instructions.flatMap(([one, words]) => (one === name ? [words] : []))

interface Service {
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: object
}
const compose: { services: Record<string, Service>; volumes: object } = parse(read('compose.yaml'))

describe('the image', () => {
  it('is built and run with the Node of the workspace', () => {
    const { node } = manifest('.').devDependencies
    for (const image of of('FROM'))
      expect(image).toMatch(new RegExp(`^node:${node}-[a-z]+-slim( AS build)?$`))
  })

  it('runs scripts and copies folders that there are', () => {
    const runs = of('RUN').join('\n')
    for (const [, script] of runs.matchAll(/npm run (\S+)/g))
      expect(manifest('.').scripts).toHaveProperty(script!)
    const sources = of('COPY').flatMap((words) =>
      [...words.matchAll(/\/source\/(\S+)/g)].map(([, path]) => path!),
    )
    expect(sources).toEqual(['package.json', 'node_modules', 'packages', 'models'])
    for (const path of [...sources, 'packages/web/app', 'packages/web/page'])
      expect(existsSync(join(root, path))).toBe(true)
    const { pg } = manifest('packages/store').devDependencies
    expect(runs).toContain(`pg@${pg}`)
  })

  it('starts the command line as another user, with data in a volume', () => {
    const [command] = of('ENTRYPOINT').map((words) => JSON.parse(words))
    const { bin } = manifest('packages/cli')
    expect(command).toEqual(['node', join('packages/cli', bin.memagent)])
    expect(of('USER')).toEqual(['node'])
    expect(of('VOLUME')).toEqual(['/data'])
    expect(of('ENV').join(' ')).toContain('XDG_DATA_HOME=/data')
    expect(of('EXPOSE')).toEqual([String(defaultPort)])
    expect(of('HEALTHCHECK')[0]).toContain(`http://127.0.0.1:${defaultPort}/healthz`)
  })

  it('is built without what it does not need, and with all packages', () => {
    const ignored = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !/^[#*]/.test(line))
    for (const path of ignored)
      expect([path, path.startsWith('.') || existsSync(join(root, path))]).toEqual([path, true])
    const needed = [
      'packages',
      'models',
      'package.json',
      'package-lock.json',
      ...readdirSync(root).filter((name) => name.startsWith('tsconfig')),
    ]
    expect(ignored.filter((path) => needed.includes(path))).toEqual([])
  })
})

describe('the compose file', () => {
  it('publishes the port to this machine alone, and names services and volumes that there are', () => {
    const { memagent, postgres, ...others } = compose.services
    expect(others).toEqual({})
    expect(memagent!.ports).toEqual([`127.0.0.1:${defaultPort}:${defaultPort}`])
    expect(Object.keys(memagent!.depends_on!)).toEqual(['postgres'])
    expect(memagent!.environment!.MEMAGENT_STORE).toMatch(
      /^postgres:\/\/memagent:\$\{POSTGRES_PASSWORD:\?[^}]+\}@postgres\/memagent$/,
    )
    const variables = Object.keys(memagent!.environment!).filter((name) => name !== 'MEMAGENT_API_KEY')
    const options = variables.map((name) => name.replace('MEMAGENT_', '').toLowerCase().replaceAll('_', '-'))
    expect(Object.keys(configurationSchema.shape)).toEqual(expect.arrayContaining(options))
    expect(postgres!.environment!.POSTGRES_USER).toBe('memagent')
    const named = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((one) => one.split(':')[0]),
    )
    expect(named).toEqual(Object.keys(compose.volumes))
    expect(memagent!.volumes).toEqual(['memagent:/data'])
  })
})
