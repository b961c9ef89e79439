/** Longest text of something thrown that is no error. */
const mostCharacters = 300

/** What was thrown, in words: foreign code may throw anything, and only an error is sure to have a message. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown !== 'object' || thrown === null) return String(thrown)
    const { message, name } = thrown as { readonly message?: unknown; readonly name?: unknown }
    if (typeof message === 'string' && message !== '') return message
    return thrown instanceof Error ? String(name) : JSON.stringify(thrown).slice(0, mostCharacters)
  } catch {
    return 'something was thrown that has no text'
  }
}
