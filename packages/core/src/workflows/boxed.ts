/** The final answer inside `\boxed{...}`. */

/** Content of the last whole `\boxed{...}` (or `\fbox{...}`), braces balanced, trimmed; undefined without one. */
export function lastBoxed(response: string): string | undefined {
  let found: string | undefined
  for (const match of response.matchAll(/\\(?:boxed|fbox)\s*\{/g)) {
    let depth = 1
    const from = match.index + match[0].length
    for (let i = from; i < response.length; i++) {
      if (response[i] === '{') depth++
      else if (response[i] === '}' && --depth === 0) {
        found = response.slice(from, i).trim()
        break
      }
    }
  }
  return found
}
