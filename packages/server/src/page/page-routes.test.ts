/** What a browser gets, and what nobody gets. */
import { mkdir, writeFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../app.ts'
import { noter, servedModel } from '../testing/served.ts'
import { pageRoutes } from './page-routes.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const nobody = async () => undefined
let store: Store
let app: ReturnType<typeof createApp>
const get = (path: string, headers: Record<string, string> = {}) =>
  app.request(`http://localhost${path}`, { headers: { host: 'localhost', ...headers } })

beforeAll(async () => {
  store = await openRunStore(folder.join('runs.sqlite'))
  app = createApp({ models: [servedModel(noter)], store, uploads: folder.join('uploads'), findKey: nobody })
})
afterAll(() => store.close())

/** Path of the script that the page names. */
const scriptPath = async (): Promise<string> =>
  `/${/src="\.\/(assets\/[^"]+\.js)"/.exec(await (await get('/')).text())![1]}`

describe('the page', () => {
  it('is open where everything else needs a key, and lets nothing in but its own files', async () => {
    const page = await get('/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|http|\*/)
    expect(await page.text()).not.toMatch(/https?:\/\//)
    expect((await get('/api/runs')).status).toBe(401)
  })

  it('comes compressed as the client takes it, and is kept by browsers as long as it is the same', async () => {
    const path = await scriptPath()
    const plain = await get(path)
    const text = await plain.text()
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(text)
    const zipped = await get(path, { 'accept-encoding': 'gzip;q=0.8, br;q=0' })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(text)
    expect(zipped.headers.get('vary')).toBe('accept-encoding')
    const page = await get('/')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect((await get('/', { 'if-none-match': page.headers.get('etag')! })).status).toBe(304)
  })

  it('weighs less than 150 kB', async () => {
    const path = await scriptPath()
    const html = await (await get('/')).text()
    const style = `/${/href="\.\/(assets\/[^"]+\.css)"/.exec(html)![1]}`
    const sizes = await Promise.all(
      ['/', path, style].map(async (one) => {
        const file = await get(one, { 'accept-encoding': 'br' })
        return (await file.arrayBuffer()).byteLength
      }),
    )
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(150_000)
  })

  it('is nothing but its files, whatever the path', async () => {
    await writeFile(folder.join('secret.js'), 'secret')
    await mkdir(folder.join('page/assets'), { recursive: true })
    await writeFile(folder.join('page/index.html'), 'page')
    await writeFile(folder.join('page/assets/a.js'), 'a')
    await writeFile(folder.join('page/assets/notes.txt'), 'secret')
    const routes = pageRoutes(folder.join('page'))
    expect(await (await routes.request('/assets/a.js')).text()).toBe('a')
    for (const path of [
      '/assets/../../secret.js',
      '/assets/..%2f..%2fsecret.js',
      '/assets/%2e%2e/index.html',
      '/assets/..%5c..%5csecret.js',
      '/assets/notes.txt',
      '/assets/a.js%00',
      '/assets/',
      '/index.html.br',
    ]) {
      expect([path, (await routes.request(path)).status]).toEqual([path, 404])
    }
  })

  it('that is not built says how to build it', async () => {
    const other = pageRoutes(folder.join('nowhere'))
    other.onError((error, c) => c.text(error.message, 404))
    expect(await (await other.request('/')).text()).toBe('The page is not built.')
  })

  it('is not there where nothing is kept', async () => {
    const without = createApp({ models: [servedModel(noter)] })
    const reply = await without.request('http://localhost/', { headers: { host: 'localhost' } })
    expect(reply.status).toBe(404)
  })
})
