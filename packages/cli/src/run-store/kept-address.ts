/** Which web addresses are kept: those without anything that may be a key. */

/** Parts of a path that servers of models use; any other may be a key. */
const ordinaryPart =
  /^(?:v\d{1,2}(?:alpha|beta)?\d?|api|chat|compatible-mode|completions|engines|inference|llm|models|ollama|openai|paas|proxy|serverless)$/

/** Neither user name, password, query nor fragment, and nothing unusual in the path. */
export function mayBeKept(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password, search, hash, pathname } = new URL(address)
  if (username + password + search + hash !== '') return false
  return pathname.split('/').every((part) => part === '' || ordinaryPart.test(part))
}

/** The text, with no more than the server of addresses that may contain a key. */
export const withoutKeys = (text: string): string =>
  text.replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>`]+/gi, (found) => {
    const end = found.search(/[.,;:!?)\]}]*$/)
    const address = found.slice(0, end)
    if (mayBeKept(address)) return found
    const server = URL.canParse(address) ? `//${new URL(address).host}` : '//...'
    return `${found.slice(0, found.indexOf(':') + 1)}${server}/...${found.slice(end)}`
  })
