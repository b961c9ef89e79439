/** Headers that a user adds for a server that needs them. */
import { ConfigurationError } from '../errors.ts'

/** The request's own: another value would break it, or send it elsewhere. */
const reserved =
  /^(?:accept|accept-encoding|connection|content-length|content-type|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/

/**
 * The headers with names in lower case.
 * @throws ConfigurationError naming the header, never its value
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [given, value] of Object.entries(headers)) {
    const name = given.trim().toLowerCase()
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      throw refused('A header has a name that none can have', 'Letters, digits and "-" make a name.')
    }
    if (reserved.test(name)) {
      throw refused(`The header ${name} cannot be set`, 'It belongs to the request itself.')
    }
    if (typeof value !== 'string' || value.trim() === '') throw refused(`The header ${name} has no value`)
    // What `fetch` would take beyond this depends on the version; servers want no more.
    if (!/^[\x20-\x7E\t]+$/.test(value)) {
      throw refused(
        `The value of the header ${name} holds characters that none can have (line breaks, or letters beyond ASCII)`,
      )
    }
    if (Object.hasOwn(checked, name)) throw refused(`The header ${name} is given twice`)
    checked[name] = value.trim()
  }
  return checked
}

/**
 * Reads `Name: value` lines, as `--header` has them.
 * @throws ConfigurationError that never shows a value
 */
export function parseHeaders(lines: readonly string[]): Record<string, string> {
  const entries = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    if (colon > 0) return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1)]
    throw refused('A header lacks the colon behind its name', "Write it as 'Name: value'.")
  })
  const names = entries.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw refused(`The header ${twice} is given twice`)
  return checkHeaders(Object.fromEntries(entries))
}

const refused = (message: string, hint?: string) =>
  new ConfigurationError({ code: 'chat/header', message, hint })
