/** `memagent serve --demo`: the page, where the bundled model reads a sample. Nothing is configured or stored. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImmediateCounter, MemAgentError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { installedProse } from '@memagent/tasks'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { defaultSeed, drawFact, plantFact } from './demo-text.ts'
import type { ServeFlags } from './serve-options.ts'

/** Options allowed with `--demo`. */
const own = new Set(['demo', 'port', 'log'])

/** The flags of the demo, regardless of environment and configuration. @throws UsageError for others on the command line */
export function demoFlags(flags: ServeFlags, command: Command): ServeFlags {
  const others = command.options.filter((option) => {
    const name = option.attributeName()
    const isGiven = command.getOptionValueSource(name) === 'cli'
    // --store and --no-store are one value.
    return isGiven && !own.has(name) && option.negate === (command.getOptionValue(name) === false)
  })
  if (others.length > 0) throw notWithDemo(others.map(({ long }) => long!))
  return { port: flags.port ?? 0, log: flags.log ?? 'none', ahead: 'auto' }
}

/**
 * A temporary store, apart from anybody's runs. Making and removing it block, so that a signal or a store that is still opening cannot
 * come in between.
 * @throws MemAgentError if there is no place for it
 */
export function makeOwnStore(): { readonly store: string; readonly remove: () => Promise<void> } {
  let folder: string
  try {
    folder = mkdtempSync(join(tmpdir(), 'memagent-demo-'))
  } catch (cause) {
    throw new MemAgentError({
      code: 'cli/no-temporary-folder',
      message: `No folder can be made in ${tmpdir()}: ${whyUnreadable(cause)}.`,
      hint: 'Let the variable TMPDIR name a folder that can be written to.',
      cause,
    })
  }
  const remove = async () => rmSync(folder, { recursive: true, force: true })
  return { store: join(folder, 'runs.sqlite'), remove }
}

/** Starts the reading as a client would, and prints where to see it. @param url of the server @param tokens approximate number */
export async function beginSample(
  url: string,
  { stderr }: Pick<Terminal, 'stderr'>,
  tokens = 1_000_000,
): Promise<void> {
  const { question, statement, expected, text } = await sample(tokens)
  const form = new FormData()
  form.set('file', new File([text], 'sample.txt'))
  form.set('purpose', 'user_data')
  const file = await post(`${url}/v1/files`, { body: form })
  let body = ''
  printJson({ write: (json) => (body += json) }, { question, files: [file.id] })
  const run = await post(`${url}/api/runs`, { body, headers: { 'content-type': 'application/json' } })
  stderr.write(
    [
      `The bundled model reads ${count(Buffer.byteLength(text))} bytes of prose with one fact in them: ${printable(statement)}`,
      `Asked: ${printable(question)} (${printable(expected)})`,
      `Watch it: ${url}/#/runs/${run.id}`,
      'Nothing is kept when it ends (Ctrl-C).',
      '',
    ].join('\n'),
  )
}

async function sample(lengthTokens: number) {
  const fact = drawFact(defaultSeed, 0)
  const { count: countTokens } = await createImmediateCounter(undefined)
  const prose = await installedProse()
  const { planted } = plantFact(fact, { prose, seed: defaultSeed, lengthTokens, countTokens })
  let text = ''
  for await (const piece of planted.document.open()) text += piece.text
  return { ...fact, text }
}

async function post(url: string, init: RequestInit): Promise<{ readonly id: string }> {
  const response = await fetch(url, { ...init, method: 'POST' })
  if (response.ok) return (await response.json()) as { id: string }
  throw new MemAgentError({
    code: 'cli/no-sample',
    message: `The sample cannot be read: ${await response.text()}`,
  })
}

const notWithDemo = (options: readonly string[]) =>
  new UsageError({
    code: 'cli/not-with-demo',
    message: `--demo does not go with ${options.join(', ')}: it shows the bundled model on this machine, and keeps nothing.`,
    hint: 'Leave it out to serve: memagent serve',
  })
