/**
 * Refuses requests meant for another host: a page of another site can make a browser send requests to this machine by pointing
 * its own name here (DNS rebinding).
 */
import type { MiddlewareHandler } from 'hono'
import { RequestError } from '../request-error.ts'

/** @param hosts names that clients reach the server by, without ports */
export function hostCheck(hosts: readonly string[]): MiddlewareHandler {
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  return async (c, next) => {
    const host = c.req.header('host')
    const name = nameOf(host)
    if (name === undefined || !known.has(name)) throw unknownHost(host, name)
    await next()
  }
}

/** The names of this machine for itself. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address)

/** Shows what the client sent as data, without characters that a terminal or log would interpret. */
function unknownHost(host = '', name: string | undefined): RequestError {
  const shown = JSON.stringify(host.slice(0, mostShown).replace(/[^\x20-\x7e]/g, '?'))
  const isShown = name !== undefined && name.length <= mostShown
  return new RequestError({
    status: 403,
    code: 'server/unknown-host',
    message: `This server is not known by the name of the request: Host is ${shown}.`,
    hint: `If clients are meant to reach it by another name, start it with --host ${isShown ? name : 'NAME'}`,
  })
}

const mostShown = 100

function nameOf(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/.exec((host ?? '').toLowerCase())?.[1]
}
