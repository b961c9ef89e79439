/** SHA-256 of a text, in hexadecimal digits, without Node modules. */
export async function strongHash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
