/** The real command serving, to be killed and started again at the same place. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type CommandResult, runCommand } from '../cli/run-cli.ts'

export interface Serving {
  readonly url: string
  kill(): Promise<void>
  /** At the same address. */
  restart(): Promise<void>
  stop(): Promise<CommandResult>
}

/** @param folder of its data */
export async function serveFrom(folder: string, args: readonly string[]): Promise<Serving> {
  let server = await started(folder, ['--port', '0', ...args])
  const { url } = server
  return {
    url,
    async kill() {
      server.child.kill('SIGKILL')
      await server.ended
    },
    async restart() {
      server = await started(folder, ['--port', new URL(url).port, ...args])
    },
    stop() {
      server.child.kill('SIGTERM')
      return server.ended
    },
  }
}

async function started(folder: string, args: readonly string[]) {
  let child: ChildProcess | undefined
  const ended = runCommand(['serve', ...args], {
    environment: { XDG_DATA_HOME: folder },
    onStart: (process) => {
      child = process
    },
  })
  let said = ''
  for (;;) {
    const url = /answers at (http:\S+)\/v1/.exec(said)?.[1]
    if (url !== undefined) return { url, child: child!, ended }
    const more = await Promise.race([once(child!.stderr!, 'data'), ended])
    if (!Array.isArray(more)) throw new Error(more.stderr)
    said += more[0]
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
