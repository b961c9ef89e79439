/** Servers with `/mcp` and a store, for tests. */
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import { type ListenOptions, listen, type RunningServer } from '../listen.ts'
import { createKey, hashOfKey } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'

export const ann = { name: 'ann', key: createKey() }
export const bob = { name: 'bob', key: createKey() }
const known = [ann, bob].map(({ name, key }) => ({ name, hash: hashOfKey(key) }))

export interface Served extends RunningServer {
  readonly store: Store
  upload(text: string, key?: string): Promise<string>
}

type Hook = (work: () => Promise<void>) => void

/** @param hooks vitest's: after each test, closes whatever was added to `closing`, the last one first */
export function mcpServers(hooks: {
  readonly beforeAll: Hook
  readonly afterAll: Hook
  readonly afterEach: Hook
}) {
  const folder = temporaryFolder(hooks.beforeAll, hooks.afterAll)
  let stores = 0
  const closing: (() => Promise<unknown>)[] = []
  hooks.afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function serve(model: ServedModel, options: Partial<ListenOptions> = {}): Promise<Served> {
    const path = folder.join(`runs-${stores++}.sqlite`)
    const store = await openRunStore(path)
    closing.push(() => store.close())
    const findKey = async (hash: string) => known.find((one) => one.hash === hash)
    const server = await listen({
      ...{ models: [model], store, uploads: `${path}.uploads`, port: 0, findKey },
      ...options,
    })
    closing.push(() => server.stop())
    const upload = async (text: string, key = ann.key) => {
      const form = new FormData()
      form.set('file', new File([text], 'log.txt'))
      form.set('purpose', 'user_data')
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${server.url}/v1/files`, { method: 'POST', headers, body: form })
      return ((await response.json()) as { id: string }).id
    }
    return { ...server, store, upload }
  }

  return { serve, closing }
}
