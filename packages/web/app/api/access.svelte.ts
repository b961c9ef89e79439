/** The key of this tab, if the server asks for one. It is forgotten when the tab is closed. */

const name = 'memagent-key'

class Access {
  #key = sessionStorage.getItem(name)
  /** The server refused a request without a key, or with this one. */
  isRefused = $state(false)
  /** Counts keys: requests made with an earlier one are repeated. */
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
