/** Flags, then the environment, then the file: for every option of `memagent serve`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import type { Option } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveCommand } from '../commands/serve.ts'
import { storePlace } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'
import { runMain } from '../testing/run-main.ts'
import { settableOptions } from './settings.ts'
import { variableOf } from './variables.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let written = 0

interface Said {
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly file?: string
}

/** The options that `memagent serve` would run with. */
async function options({ flags = [], environment = {}, file = '' }: Said): Promise<Record<string, unknown>> {
  const home = folder.join(`home-${++written}`)
  await mkdir(join(home, 'memagent'), { recursive: true })
  await writeFile(join(home, 'memagent', 'config.yaml'), file)
  const terminal = { environment: { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, ...environment } }
  const command = serveCommand(terminal as unknown as Terminal)
  let found: Record<string, unknown> = {}
  command.action(async (given: object) => {
    const place = await storePlace(given as never, terminal)
    found = { ...given, baseUrl: (given as { baseUrl?: string }).baseUrl ?? environment.MEMAGENT_BASE_URL }
    if (found.store !== false) found.store = place?.isDefault ? undefined : place?.path
  })
  await command.parseAsync(flags, { from: 'user' })
  return found
}

/** Three values of an option, as text. */
function textsFor(option: Option): readonly string[] {
  const own: Readonly<Record<string, readonly string[]>> = {
    header: ['X-A: a', 'X-B: b', 'X-C: c'],
    model: ['openai:a', 'openai:b', 'openai:c'],
    baseUrl: ['http://a/v1', 'http://b/v1', 'http://c/v1'],
    temperature: ['0.1', '0.2', '0.3'],
    topP: ['0.1', '0.2', '0.3'],
    store: ['/a.sqlite', '/b.sqlite', '/c.sqlite'],
  }
  const isNumber = option.parseArg !== undefined && !option.argChoices
  return (
    own[option.attributeName()] ?? option.argChoices ?? (isNumber ? ['11', '12', '13'] : ['/a', '/b', '/c'])
  )
}

/** The value as written in a file. */
const yamlOf = (option: Option, text: string): string =>
  option.long === '--header' ? `{ ${text} }` : option.variadic ? `[${text}]` : text

const all = serveCommand({ environment: {} } as unknown as Terminal).options.filter(
  ({ long }) => !/^--(?:config|no-config|help|demo)$/.test(long!),
)

describe.each(all.map((option) => [option.long!, option] as const))('%s', (long, option) => {
  const name = long.slice(2)
  const attribute = option.attributeName()
  const value = async (said: Said) => (await options(said))[attribute]

  it('is taken from the command line, then the environment, then the file', async () => {
    expect([...settableOptions.keys()]).toContain(name)
    const standard = await value({})
    if (!option.required) {
      const on = !option.negate
      expect(standard).not.toBe(on)
      expect(await value({ file: `${name}: true\n` })).toBe(on)
      expect(await value({ environment: { [variableOf(name)]: 'true' } })).toBe(on)
      expect(await value({ environment: { [variableOf(name)]: 'false' }, file: `${name}: true\n` })).not.toBe(
        option.negate ? true : on,
      )
      expect(await value({ flags: [long], environment: { [variableOf(name)]: 'false' } })).toBe(on)
      return
    }
    const [ofFlag, ofVariable, ofFile] = textsFor(option) as [string, string, string]
    const flags = [long, ofFlag]
    const environment = { [variableOf(name)]: ofVariable }
    const file = `${name}: ${yamlOf(option, ofFile)}\n`
    const alone = [await value({ flags }), await value({ environment }), await value({ file })]
    expect(new Set([standard, ...alone].map(String)).size).toBe(4)
    expect(await value({ flags, environment, file })).toEqual(alone[0])
    expect(await value({ flags, file })).toEqual(alone[0])
    expect(await value({ environment, file })).toEqual(alone[1])
    expect(await value({ environment: { [variableOf(name)]: '' }, file })).toEqual(alone[2])
  })
})

it('takes several values from the environment with commas, and headers in lines', async () => {
  expect(
    await options({
      environment: { MEMAGENT_HOST: 'a.example, b.example', MEMAGENT_HEADER: 'X-A: 1, 2\nX-B: 3\n' },
    }),
  ).toMatchObject({ host: ['a.example', 'b.example'], header: ['X-A: 1, 2', 'X-B: 3'] })
})

it('names a variable that is wrong', async () => {
  const wrong = (environment: Record<string, string>) =>
    options({ environment }).catch(({ message }) => message)
  expect(await wrong({ MEMAGENT_PORT: 'many' })).toBe(
    'The environment variable MEMAGENT_PORT: --port must be a whole number from 0 to 65535, not many.',
  )
  expect(await wrong({ MEMAGENT_LOG: 'xml' })).toMatch(
    /^The environment variable MEMAGENT_LOG: .*text, json, none/,
  )
  expect(await wrong({ MEMAGENT_EXACT: 'maybe' })).toMatch(/true or false, not maybe/)
})

it('sends headers of the environment to no server that the command line names', async () => {
  const environment = { MEMAGENT_HEADER: 'X-Key: secret', MEMAGENT_MODEL: 'openai:a' }
  expect(await options({ environment })).toMatchObject({ header: ['X-Key: secret'] })
  const elsewhere = await options({ environment, flags: ['--base-url', 'http://other/v1'] })
  expect(elsewhere.header).toBeUndefined()
})

it('the file is that of --config, then of MEMAGENT_CONFIG', async () => {
  const named = folder.join('named.yaml')
  await writeFile(named, 'port: 2\n')
  const environment = { MEMAGENT_CONFIG: named }
  expect(await options({ environment, file: 'port: 1\n' })).toMatchObject({ port: 2 })
  const other = folder.join('other.yaml')
  await writeFile(other, 'port: 3\n')
  expect(await options({ environment, flags: ['--config', other] })).toMatchObject({ port: 3 })
  expect((await options({ environment, flags: ['--no-config'] })).port).toBeUndefined()
})

it('a store that the file names is that of all commands, and has no password there', async () => {
  const home = folder.join('of-all')
  await mkdir(join(home, 'memagent'), { recursive: true })
  const environment = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }
  const file = join(home, 'memagent', 'config.yaml')
  await writeFile(file, 'store: own.sqlite\n')
  const { code, stdout } = await runMain(['keys', 'add', 'ann'], { environment })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^memagent-/)])
  const own = ['--store', resolve(home, 'memagent', 'own.sqlite')]
  expect((await runMain(['keys', 'list', '--json', ...own], { environment })).stdout).toContain('"ann"')

  await writeFile(file, 'store: postgres://ann:secret-word@db/runs\n')
  const refused = await runMain(['keys', 'list'], { environment })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('MEMAGENT_STORE')])
  expect(refused.stderr).not.toContain('secret-word')
})
