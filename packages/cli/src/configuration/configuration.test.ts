import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseYamlSettings } from '@memagent/core/settings'
import { createStubServer, type StubCall, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { configurationPath } from './location.ts'
import { configurationSchema, settableOptions } from './settings.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let calls: readonly StubCall[] = []
beforeAll(async () => {
  server = await createStubServer({
    respond: (call) => {
      calls = [...calls, call]
      return call.messages.at(-1)!.content.includes('<section>') ? 'It is 7.' : '\\boxed{7}'
    },
  })
  await writeFile(folder.join('text.txt'), 'The code is 7. '.repeat(300))
})
afterAll(() => server.close())
beforeEach(() => {
  calls = []
})

let written = 0
/** Writes the configuration and returns an environment that finds it. */
async function home(yaml: string, more: Record<string, string> = {}) {
  const XDG_CONFIG_HOME = folder.join(`home-${++written}`)
  await mkdir(join(XDG_CONFIG_HOME, 'memagent'), { recursive: true })
  await writeFile(join(XDG_CONFIG_HOME, 'memagent', 'config.yaml'), yaml)
  return { XDG_CONFIG_HOME, ...more }
}
const ask = (environment: Record<string, string>, ...args: string[]) =>
  runMain(['ask', 'Which code?', folder.join('text.txt'), '--json', ...args], { environment })
const usual = () => `model: openai:stub\nbase-url: ${server.baseUrl}\n`

const examples = (name: string) => resolve(import.meta.dirname, '../../../../examples', name)

describe('a configuration', () => {
  it('sets defaults, which the command line overrides', async () => {
    const environment = await home(`${usual()}chunk: 200\nmax-calls: 4\nexact: true\n`)
    const stopped = await ask(environment)
    expect(JSON.parse(stopped.stdout).error).toMatchObject({
      code: 'reading/limit-calls',
      message: expect.stringContaining('after 4 calls'),
    })
    const answered = await ask(environment, '--max-calls', '100')
    expect(answered.code).toBe(0)
    const { steps, model } = JSON.parse(answered.stdout)
    expect(model).toBe('openai:stub')
    expect(
      JSON.parse((await ask(environment, '--max-calls', '100', '--chunk', '1000')).stdout).steps,
    ).toBeLessThan(steps)
  })

  it('is the file of --config, or none with --no-config', async () => {
    const environment = await home(`${usual()}max-calls: 1\n`)
    const other = folder.join('other.yaml')
    await writeFile(other, usual())
    expect((await ask(environment)).code).toBe(1)
    expect((await ask(environment, '--config', other)).code).toBe(0)
    const without = await ask(
      environment,
      '--no-config',
      '--model',
      'openai:stub',
      '--base-url',
      server.baseUrl,
    )
    expect(without.code).toBe(0)
    const missing = await ask(environment, '--config', folder.join('none.yaml'))
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('none.yaml')
  })

  it('limits a run that is resumed, too, unless another limit is given', async () => {
    const data = { XDG_DATA_HOME: folder.join('limited') }
    const environment = await home(`${usual()}chunk: 200\nmax-calls: 2\n`, data)
    const stopped = JSON.parse((await ask(environment)).stdout).error
    const [, hint, id] = /(--max-calls 4)\): memagent resume (\w+)/.exec(stopped.hint)!
    const again = await runMain(['resume', id!, '--json'], { environment })
    expect(JSON.parse(again.stdout).error).toMatchObject({ code: 'reading/limit-calls' })
    const further = await runMain(['resume', id!, '--json', ...hint!.split(' ')], { environment })
    expect(JSON.parse(further.stdout).error.message).toContain('after 4 calls')
    const environmentSays = { ...environment, MEMAGENT_MAX_CALLS: '100' }
    expect((await runMain(['resume', id!, '--json'], { environment: environmentSays })).code).toBe(0)
  })

  it('of --config or --no-config that names another store has it in the commands that are printed', async () => {
    const data = { XDG_DATA_HOME: folder.join('stores') }
    const environment = await home(`${usual()}store: ${folder.join('usual.sqlite')}\n`, data)
    const other = folder.join('with-store.yaml')
    await writeFile(other, `${usual()}store: other.sqlite\n`)
    const named = ['--model', 'openai:stub', '--base-url', server.baseUrl]
    for (const chosen of [
      ['--config', other],
      ['--no-config', ...named],
    ]) {
      const { stderr } = await runMain(
        ['ask', 'Which code?', folder.join('text.txt'), '--max-calls', '1', '--chunk', '200', ...chosen],
        { environment },
      )
      const [, command] = /memagent (resume \S+.*)\n/.exec(stderr)!
      expect(command).toContain('--store ')
      const resumed = await runMain([...command!.split(' '), '--quiet'], { environment })
      expect(resumed.stdout).toBe('7\n')
    }
  })

  it('names file, line and setting in errors', async () => {
    const environment = await home(
      'model: openai:x\nchunk: many\nmodle: y\nexact: maybe\nbudget: { window: 4 }\n',
    )
    const { code, stderr } = await ask(environment)
    expect(code).toBe(2)
    expect(stderr).toContain(join(environment.XDG_CONFIG_HOME, 'memagent', 'config.yaml'))
    expect(stderr).toContain(
      'line 2: chunk cannot be "many" (--chunk must be a whole number above 0, not many)',
    )
    expect(stderr).toContain('line 3: modle is unknown (did you mean model?)')
    expect(stderr).toContain('line 4: exact cannot be "maybe" (it takes true or false)')
    expect(stderr).toContain('line 5: budget is unknown')
    expect((await ask(await home('a: ['))).stderr).toContain('is not valid YAML')
    const empty = await home('# nothing yet\n')
    expect((await ask(empty, '--model', 'openai:stub', '--base-url', server.baseUrl)).code).toBe(0)
  })

  it('accepts a value for every option', async () => {
    for (const [name, option] of settableOptions) {
      const { stderr } = await ask(await home(`${name}: [[null]]\n`), '--quiet')
      expect(stderr, name).toMatch(new RegExp(`line 1: ${name} (?:cannot be|has a wrong value) .*\\(`))
      expect(option.long).toBe(`--${name}`)
    }
  })

  it('rejects secrets, and never shows its values', async () => {
    const secret = 'sk-1234567890'
    for (const yaml of [
      `header: { Authorization: Bearer ${secret} }`,
      `header: { X-Api-Key: "${secret}" }`,
      `header: { X-Api-Key: "${secret}-\${NAME}" }`,
      `header: ["Authorization: ${secret}"]`,
      `header: { X-Team: [${secret}] }`,
      `base-url: https://user:${secret}@host/v1`,
      `base-url: https://host/v1?key=${secret}`,
      `api-key: ${secret}`,
    ]) {
      const { code, stderr, stdout } = await ask(await home(`model: openai:stub\n${yaml}\n`))
      expect(code, yaml).toBe(2)
      expect(stderr + stdout).not.toContain(secret)
    }
  })

  it('takes header values from environment variables', async () => {
    const yaml = `${usual()}header: { X-Api-Key: "\${TEAM_KEY}", X-Team: reading }\n`
    const missing = await ask(await home(yaml))
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('the header X-Api-Key needs the environment variable TEAM_KEY')
    expect((await ask(await home(yaml, { TEAM_KEY: 'abc' }))).code).toBe(0)
    expect(calls[0]!.headers).toMatchObject({ 'x-api-key': 'abc', 'x-team': 'reading' })
  })

  it('does not apply the window of its model to another one', async () => {
    const yaml = `${usual()}chunk: 200\nmax-calls: 100\n`
    const steps = async (...args: string[]) => JSON.parse((await ask(await home(yaml), ...args)).stdout).steps
    expect(await steps()).toBeGreaterThan(3)
    expect(await steps('--model', 'openai:stub')).toBeGreaterThan(3)
    expect(await steps('--model', 'openai:another')).toBe(1)
  })

  it('does not apply the prices of its model to another one, nor to a run of another that is resumed', async () => {
    const data = { XDG_DATA_HOME: folder.join('priced') }
    const yaml = `${usual()}chunk: 200\nprice-in: 1000\nprice-out: 1000\nmax-cost: 1\n`
    const environment = await home(yaml, data)
    const other = ['--model', 'openai:another', '--chunk', '200']
    const errorOf = async (...args: string[]) => JSON.parse((await ask(environment, ...args)).stdout).error
    expect(await errorOf()).toMatchObject({ code: 'reading/limit-cost' })
    expect(await errorOf(...other)).toMatchObject({ code: 'cli/no-prices' })
    const priced = [...other, '--price-in', '0.01']
    expect(await errorOf(...priced, '--max-calls', '2')).toMatchObject({ code: 'reading/limit-calls' })
    const free = await ask(await home(usual(), data), ...[...other, '--max-calls', '1', '--exact'])
    const [, id] = /memagent resume (\w+)/.exec(JSON.parse(free.stdout).error.hint)!
    const resumed = await runMain(['resume', id!, '--json'], { environment })
    expect(JSON.parse(resumed.stdout).error).toMatchObject({ code: 'cli/no-prices' })
    const withPrice = await runMain(['resume', id!, '--json', '--price-in', '0.01'], { environment })
    expect(withPrice.code).toBe(0)
  })

  it('does not apply the prompts of its workflow to another one', async () => {
    const own = examples('own-workflow.ts')
    const yaml = `${usual()}workflow: ${own}\nprompts: ${examples('prompts.yaml')}\n`
    const promptsUsed = async (...args: string[]) => {
      const { stdout } = await ask(await home(yaml), ...args)
      return JSON.parse(stdout).profile.prompts
    }
    expect(await promptsUsed()).toBe('prompts')
    expect(await promptsUsed('--workflow', own)).toBe('prompts')
    expect(await promptsUsed('--workflow', 'overwrite')).toBe('paper')
  })

  it('sends neither key nor headers to a server other than its own', async () => {
    const secret = `header: { X-Api-Key: "\${TEAM_KEY}" }\napi-key-env: TEAM_KEY\n`
    const environment = await home(`model: openai:stub\nbase-url: http://localhost:1/v1\n${secret}`, {
      TEAM_KEY: 'abc',
    })
    const { code } = await ask(environment, '--base-url', server.baseUrl)
    expect(code).toBe(0)
    expect(calls.length).toBeGreaterThan(1)
    for (const { headers } of calls) {
      expect(headers['x-api-key']).toBeUndefined()
      expect(headers.authorization).toBeUndefined()
    }
  })
})

describe('the place of a configuration', () => {
  it.each<[Record<string, string>, NodeJS.Platform, string | undefined]>([
    [{ HOME: '/home/ann' }, 'linux', '/home/ann/.config/memagent/config.yaml'],
    [{ HOME: '/home/ann', XDG_CONFIG_HOME: '/etc/ann' }, 'linux', '/etc/ann/memagent/config.yaml'],
    [{ HOME: '/Users/ann' }, 'darwin', '/Users/ann/Library/Application Support/memagent/config.yaml'],
    [{ APPDATA: '/roaming', HOME: '/x' }, 'win32', '/roaming/memagent/config.yaml'],
    [{ XDG_CONFIG_HOME: '.' }, 'linux', undefined],
    [{ HOME: 'relative' }, 'linux', undefined],
    [{}, 'linux', undefined],
  ])('%j on %s is %s', (environment, platform, expected) => {
    expect(configurationPath({ environment, platform })).toBe(expected)
  })

  it('is never the folder of the text', async () => {
    for (const name of [
      'config.yaml',
      'memagent.yaml',
      'memagent/config.yaml',
      '.config/memagent/config.yaml',
    ]) {
      await mkdir(dirname(folder.join(name)), { recursive: true })
      await writeFile(folder.join(name), 'max-calls: 1\n')
    }
    const before = process.cwd()
    process.chdir(folder.join('.'))
    try {
      for (const environment of [{}, { XDG_CONFIG_HOME: '.' }, { HOME: '.' }]) {
        const { code } = await ask(environment, '--model', 'openai:stub', '--base-url', server.baseUrl)
        expect(code).toBe(0)
      }
    } finally {
      process.chdir(before)
    }
  })
})

it('the example in the documentation works', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/command-line.md'), 'utf8')
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(page)!
  const file = { name: 'docs/command-line.md', what: 'configuration', area: 'cli' }
  expect(parseYamlSettings(configurationSchema, yaml!, file)).toMatchObject({ chunk: 5000, 'max-cost': 2 })
})
