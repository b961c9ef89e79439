/** Extra headers for servers that need them. */
import { ConfigurationError } from '../errors.ts'

/** Set by the request itself: another value would break it or send it elsewhere. */
const reserved =
  /^(?:accept|accept-encoding|connection|content-length|content-type|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/

/**
 * Returns the headers with lower-case names.
 * @throws ConfigurationError naming the header, never its value
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [given, value] of Object.entries(headers)) {
    const name = given.trim().toLowerCase()
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      throw refused('A header has an invalid name', 'Names consist of letters, digits and "-".')
    }
    if (reserved.test(name)) {
      throw refused(`The header ${name} cannot be set`, 'The request sets it itself.')
    }
    if (typeof value !== 'string' || value.trim() === '') throw refused(`The header ${name} has no value`)
    // What `fetch` accepts beyond this depends on its version; servers need no more.
    if (!/^[\x20-\x7E\t]+$/.test(value)) {
      throw refused(
        `The value of the header ${name} contains invalid characters (line breaks, or letters beyond ASCII)`,
      )
    }
    if (Object.hasOwn(checked, name)) throw refused(`The header ${name} is given twice`)
    checked[name] = value.trim()
  }
  return checked
}

/**
 * Parses `Name: value` lines, as `--header` takes them.
 * @throws ConfigurationError that never shows a value
 */
export function parseHeaders(lines: readonly string[]): Record<string, string> {
  const entries = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    if (colon > 0) return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1)]
    throw refused('A header has no colon after its name', "Write it as 'Name: value'.")
  })
  const names = entries.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw refused(`The header ${twice} is given twice`)
  return checkHeaders(Object.fromEntries(entries))
}

const refused = (message: string, hint?: string) =>
  new ConfigurationError({ code: 'chat/header', message, hint })
