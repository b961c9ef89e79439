/** A redirect: never followed, since that would carry the document and the key to wherever it points. */
import { ChatError } from '../errors.ts'
import { showAddress } from './address-text.ts'
import type { HttpReply } from './http-exchange.ts'

/** Paths that are appended to base URLs. */
const endpoint = /\/(?:chat\/completions|completions|embeddings|models|tokenize|api\/\w+)\/?$/

const baseOf = ({ origin, pathname }: URL) => `${origin}${pathname.replace(endpoint, '')}`

/** @param failed the address that was called */
export function redirectError(
  { status, headers }: HttpReply,
  { url, redact }: { readonly url: string; readonly redact: (text: string) => string },
): ChatError {
  const shown = showAddress(url)
  const location = headers.get('location') ?? ''
  const target = location !== '' && URL.canParse(location, url) ? new URL(location, url) : undefined
  const to = target === undefined ? undefined : redact(showAddress(target))
  const base = target && redact(baseOf(target))
  const isElsewhere = base !== undefined && base !== baseOf(new URL(url))
  return new ChatError({
    code: 'chat/redirected',
    message: `The server at ${shown} redirects (${status}) ${to === undefined ? 'without saying where' : `to ${to}`}; nothing was sent there`,
    hint: isElsewhere
      ? `If that is the server you mean, give its address as the base URL: ${base}. If it is a page to log in, this server wants a key or a header (--header).`
      : 'Ask whoever runs the server for the address that answers without a redirect.',
    details: { url: shown, status, ...(to === undefined ? {} : { location: to }) },
  })
}
