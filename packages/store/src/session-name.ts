/** Names of sessions are typed, and stand in messages and addresses. */

/** In words, for who gave another one. */
export const sessionNameRule =
  'A session is named with up to 100 letters, digits, spaces, and the signs . _ -; it begins with a letter or digit.'

/** The same letters are the same name. @returns undefined for what is no name */
export function sessionName(given: string): string | undefined {
  const name = given.normalize('NFC')
  return /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]{0,99}$/u.test(name) && name.trim() === name ? name : undefined
}
