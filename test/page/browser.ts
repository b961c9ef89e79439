/** Opens pages in Debian's Chromium, if there is one, and records what a page of ours must not do. */
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Undefined: there is none on the PATH. */
export const chromiumPath: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Chromium has no sandbox for root, and may leave temporary files: they are removed with the folder of the tests. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath!,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    env: { ...process.env, TMPDIR: process.env.MEMAGENT_TESTS ?? tmpdir() },
  })

export interface OpenedPage {
  readonly page: Page
  /** Requests other than for the file itself, errors, and violations of its content policy. Empty for a good page. */
  readonly faults: readonly string[]
}

export async function openFile(
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const page = await (await browser.newContext(options)).newPage()
  const faults: string[] = []
  const url = pathToFileURL(path).href
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url && request.url() !== 'data:,')
      faults.push(`request: ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`)
  })
  await page.goto(url)
  await page.waitForSelector('h1')
  return { page, faults }
}

/** What axe finds wrong, and where. It runs without a script element, which the page's policy forbids. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
