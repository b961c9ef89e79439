/** The key of this tab, where the server asks for one. It is forgotten when the tab is closed. */

const name = 'memagent-key'

class Access {
  #key = sessionStorage.getItem(name)
  /** The server refused what was asked without a key, or with this one. */
  isRefused = $state(false)
  /** Counts keys: what was asked with an earlier one is asked again. */
  version = $state(0)

  get hasKey(): boolean {
    return this.#key !== null
  }

  get headers(): Record<string, string> {
    return this.#key === null ? {} : { authorization: `Bearer ${this.#key}` }
  }

  use(key: string): void {
    this.#key = key
    sessionStorage.setItem(name, key)
    this.isRefused = false
    this.version++
  }

  forget(): void {
    this.#key = null
    sessionStorage.removeItem(name)
    this.isRefused = true
  }
}

export const access = new Access()
