/**
 * How addresses are shown. At many services, queries and user names with passwords carry keys, so no message, event or record may
 * contain them.
 */

/** The address without user name, password, query and fragment; a query is shown as `?...`. Accepts any text. */
export function showAddress(address: string | URL): string {
  const text = String(address)
  if (!URL.canParse(text) || new URL(text).host === '') {
    return text.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1').replace(/[?#].*$/s, '?...')
  }
  const { protocol, host, pathname, search } = new URL(text)
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?...'}`
}

/** The text with every web address in it shown as `showAddress` does. */
export const hideAddresses = (text: string): string =>
  text.replace(/\bhttps?:\/\/[^\s"'<>`]+/gi, (address) => {
    // Punctuation and brackets after an address are not part of it.
    let end = address.length
    while ('?.,;:!)]}'.includes(address.charAt(end - 1))) end--
    return showAddress(address.slice(0, end)) + address.slice(end)
  })

/** The address of the same server with another protocol; the port is kept. */
export function withProtocol(address: string, protocol: 'http' | 'https'): string {
  const url = new URL(address)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return new URL(`${protocol}://${url.hostname}:${port}`).origin
}
