/** Refuses options of `memagent serve` that cannot work, before anything is opened. */
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'
import type { ServeFlags } from './serve-options.ts'

/** Refuses `--store` together with `--no-store`: the last one would win silently. */
export function refuseBothStores(command: Command): Command {
  const given = new Set<string>()
  for (const name of ['store', 'no-store']) {
    command.on(`option:${name}`, () => {
      given.add(name)
      if (given.size > 1) throw bothStores()
    })
  }
  return command
}

/** Returns origins as browsers send them. @throws UsageError naming the option, and what would be right */
export function checkedServeFlags(flags: ServeFlags): ServeFlags {
  if (flags.name?.trim() === '') throw wrong('--name must not be empty: clients call the model by it.')
  for (const host of flags.host ?? []) requireHost(host)
  return { ...flags, ...(flags.origin && { origin: flags.origin.map(originOf) }) }
}

/** As the `Host` of a request names it, without the port. */
const hostName = /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)$/i

function requireHost(host: string): void {
  if (hostName.test(host)) return
  const meant = hostIn(host)
  throw wrong(
    `--host must be a name or an IP address alone, without scheme, port and path, not ${host}.`,
    meant === undefined ? undefined : `Give: --host ${meant}`,
  )
}

function hostIn(text: string): string | undefined {
  const isIPv6 = /^[0-9a-f.]*(?::[0-9a-f.]*){2,}$/i.test(text)
  const { hostname } = addressOf(text.includes('://') ? text : `http://${isIPv6 ? `[${text}]` : text}`) ?? {}
  return hostname && hostName.test(hostname) ? hostname : undefined
}

function originOf(text: string): string {
  const { origin, href } = addressOf(text) ?? {}
  // A URL that is not a web page has the origin "null".
  const isOrigin = origin !== undefined && origin !== 'null'
  if (isOrigin && href === `${origin}/`) return origin
  throw wrong(
    `--origin must be a scheme and a host, with a port where it has one of its own, not ${text}.`,
    isOrigin ? `Give: --origin ${origin}` : 'Such as: --origin https://app.example',
  )
}

function addressOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

const wrong = (message: string, hint?: string) => new UsageError({ code: 'cli/bad-option', message, hint })

const bothStores = () =>
  new UsageError({
    code: 'cli/bad-option',
    message:
      '--store and --no-store contradict each other: one names what runs are kept in, the other keeps none.',
    hint: 'Give one of them.',
  })
