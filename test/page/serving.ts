/** The real command serving, to be killed and started again at the same place. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { CommandResult } from '../cli/run-cli.ts'
import { serving } from '../cli/serving.ts'

export interface Serving {
  readonly url: string
  kill(): Promise<void>
  /** At the same address. */
  restart(): Promise<void>
  stop(): Promise<CommandResult>
}

/** @param folder of its data */
export async function serveFrom(folder: string, args: readonly string[]): Promise<Serving> {
  let server = await serving(args, folder)
  const { url } = server
  return {
    url,
    async kill() {
      server.child.kill('SIGKILL')
      await server.ended
    },
    async restart() {
      server = await serving(['--port', new URL(url).port, ...args], folder)
    },
    stop() {
      server.child.kill('SIGTERM')
      return server.ended
    },
  }
}

export interface ServedTab {
  readonly page: Page
  /** Requests to elsewhere, errors of scripts, and violations of the page's policy. Empty for a good page. */
  readonly faults: readonly string[]
}

export async function openTab(context: BrowserContext, url: string): Promise<ServedTab> {
  const page = await context.newPage()
  const faults: string[] = []
  const origin = new URL(url).origin
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(origin) && !to.startsWith('data:') && !to.startsWith('blob:'))
      faults.push(`request: ${to}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // Chromium itself reports unsuccessful responses.
    if (['error', 'warning'].includes(message.type()) && !/^Failed to load resource/.test(message.text()))
      faults.push(`console: ${message.text()}`)
  })
  await page.goto(url)
  await page.waitForSelector('h1')
  return { page, faults }
}

export const openContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 1280, height: 900 } })
