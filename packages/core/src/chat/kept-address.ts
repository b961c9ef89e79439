/** Which web addresses may be kept and shown to others: those without anything that may be a key. */

/** Path segments of model servers; any other may be a key. */
const ordinaryPart =
  /^(?:v\d{1,2}(?:alpha|beta)?\d?|api|chat|compatible-mode|completions|engines|inference|llm|models|ollama|openai|paas|proxy|serverless)$/

/** Whether it has no user name, password, query or fragment, and nothing unusual in the path. */
export function mayBeKept(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password, search, hash, pathname } = new URL(address)
  if (username + password + search + hash !== '') return false
  return pathname.split('/').every((part) => part === '' || ordinaryPart.test(part))
}

/** The text, with addresses that may contain a key cut down to their server. */
export const withoutKeys = (text: string): string =>
  text.replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>`]+/gi, (found) => {
    const end = found.search(/[.,;:!?)\]}]*$/)
    const address = found.slice(0, end)
    if (mayBeKept(address)) return found
    const server = URL.canParse(address) ? `//${new URL(address).host}` : '//...'
    return `${found.slice(0, found.indexOf(':') + 1)}${server}/...${found.slice(end)}`
  })
