/** Readings that are watched: through a killed server, a hidden tab, a stop, a model that fails. */
import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../browser.ts'
import { answer } from '../lighthouse.ts'
import { answerIn, days, type Scene, stepsIn } from '../scene.ts'

export function watchedReadings(scene: Scene): void {
  it('shows a reading as it goes on, through a server that is killed and comes back', async () => {
    scene.pace = 80
    const { page, faults } = await scene.tab()
    await scene.begin(page)
    await expect.poll(() => stepsIn(page), { timeout: 30_000 }).toBeGreaterThan(5)
    expect(await page.getByRole('progressbar').count()).toBe(1)
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText(/\d+ %.* steps, .* of \d+ kB.* a (second|minute).* left/s).waitFor()
    await scene.server.kill()
    await page.getByText('The connection is lost.').first().waitFor()
    expect(await answerIn(page).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    scene.pace = 0
    await scene.server.restart()
    await expectWhole(page)
    expect(faults).toEqual([])
    await page.close()
  })

  it('does not listen while it is hidden, and then catches up', async () => {
    scene.pace = 60
    const { page, faults } = await scene.tab()
    const streams = new Set<Request>()
    page.on('request', (request) => /\/events$/.test(request.url()) && streams.add(request))
    page.on('requestfailed', (request) => streams.delete(request))
    page.on('requestfinished', (request) => streams.delete(request))
    await scene.begin(page)
    await expect.poll(() => stepsIn(page), { timeout: 30_000 }).toBeGreaterThan(3)
    expect(streams.size).toBe(1)
    await setHidden(page, true)
    await expect.poll(() => streams.size).toBe(0)
    // Steps that had just arrived are still shown.
    await page.waitForTimeout(400)
    const known = await stepsIn(page)
    scene.pace = 0
    await page.waitForTimeout(500)
    expect([streams.size, await stepsIn(page)]).toEqual([0, known])
    const again = page.waitForRequest(/\/events$/)
    await setHidden(page, false)
    expect(Number((await again).headers()['last-event-id'])).toBeGreaterThan(0)
    await expectWhole(page)
    expect(faults).toEqual([])
    await page.close()
  })

  it('is shown all the same if the server cannot be reached for a moment, when it is opened and when it ends', async () => {
    const { page, faults } = await scene.tab()
    const failed: string[] = []
    await page.route(/\/api\/runs\/\w+(\/page)?$/, async (route) => {
      const { pathname } = new URL(route.request().url())
      if (failed.includes(pathname)) return route.continue()
      failed.push(pathname)
      return failed.length === 1 ? route.abort() : route.fulfill({ status: 503 })
    })
    await scene.begin(page)
    await page.getByText('The server cannot be reached. Trying again …').waitFor()
    await expectWhole(page)
    expect(failed).toHaveLength(2)
    expect(faults).toEqual([])
    await page.close()
  })

  it('is stopped and resumed, and shows no answer in between', async () => {
    scene.pace = 60
    const { page, faults } = await scene.tab()
    await scene.begin(page)
    await expect.poll(() => stepsIn(page), { timeout: 30_000 }).toBeGreaterThan(3)
    await page.getByRole('button', { name: 'Stop' }).click()
    const outcome = page.getByRole('region', { name: 'Outcome' })
    await outcome
      .getByText(/stopped before its end, so there is no answer: \d+ steps had been read/)
      .waitFor()
    expect(await answerIn(page).count()).toBe(0)
    const read = await stepsIn(page)
    expect(read).toBeLessThan(days)
    scene.pace = 0
    const before = scene.stub.callCount
    await page.getByRole('button', { name: 'Resume' }).click()
    await expectWhole(page)
    // Nothing was read again; the answer is one call more.
    expect(scene.stub.callCount - before).toBe(days - read + 1)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says why a reading failed, and never that the text has no answer', async () => {
    scene.failure = 'the card is out of memory'
    const { page, faults } = await scene.tab()
    await scene.begin(page)
    const outcome = page.getByRole('region', { name: 'Outcome' })
    await outcome
      .getByText(/there is no answer: 0 steps had been read\..*the card is out of memory/s)
      .waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/No answer was found|not found/)
    scene.failure = undefined
    await page.getByRole('button', { name: 'Resume' }).click()
    await expectWhole(page)
    expect(faults).toEqual([])
    await page.close()
  })
}

/** The answer, and every change of the memory, once. */
async function expectWhole(page: Page): Promise<void> {
  await answerIn(page).getByText(answer).waitFor({ timeout: 60_000 })
  expect(await stepsIn(page)).toBe(days)
  expect(await page.locator('.list li').allInnerTexts()).toHaveLength(7)
}

/** Simulates it: Chromium without a screen never hides a tab. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    const { document, Event } = globalThis as unknown as {
      document: object & { dispatchEvent(event: object): void }
      Event: new (type: string) => object
    }
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
