/** 64-bit hash of a text in pieces, the same however it is split. Not for security. */
export class TextHash {
  #a: number
  #b: number

  /** @param value a hash to continue from */
  constructor(value?: string) {
    this.#a = value === undefined ? 0x811c9dc5 : Number.parseInt(value.slice(0, 8), 16)
    this.#b = value === undefined ? 0x01000193 : Number.parseInt(value.slice(8, 16), 16)
  }

  add(text: string): this {
    let [a, b] = [this.#a, this.#b]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
    }
    this.#a = a
    this.#b = b
    return this
  }

  get value(): string {
    return [this.#a, this.#b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

export const hashOf = (text: string): string => new TextHash().add(text).value
