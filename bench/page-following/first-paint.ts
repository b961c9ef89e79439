/** How soon a fresh browser paints the page, and how much is sent for it. */
import type { Browser } from 'playwright-core'

export interface FirstPaint {
  /** From the beginning of the navigation; milliseconds. */
  readonly firstPaintMs: number
  /** When the view with the fields and the models is there; milliseconds. */
  readonly readyMs: number
  /** Of the page and its files as sent. */
  readonly bytes: number
}

export async function firstPaint(browser: Browser, url: string): Promise<FirstPaint> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('combobox', { name: 'Workflow' }).waitFor()
  const measured = await page.evaluate(`(() => {
    const files = performance.getEntries().filter((one) => one.encodedBodySize > 0 && !one.name.includes('/api/'))
    return {
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      readyMs: performance.now(),
      bytes: files.reduce((sum, one) => sum + one.encodedBodySize, 0),
    }
  })()`)
  await context.close()
  return measured as FirstPaint
}
