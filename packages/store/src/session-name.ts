/** Names of sessions: people type them, and they appear in messages and addresses. */

/** The rule in words, for error messages. */
export const sessionNameRule =
  'A session is named with up to 100 letters, digits, spaces, and the signs . _ -; it begins with a letter or digit.'

/** Normalizes a name, so that equal letters make equal names. @returns undefined if it is not a valid name */
export function sessionName(given: string): string | undefined {
  const name = given.normalize('NFC')
  return /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]{0,99}$/u.test(name) && name.trim() === name ? name : undefined
}
