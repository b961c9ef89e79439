/** A server that needs a key, and an answer with hundreds of sources. */
import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../browser.ts'
import { type KeyServer, manyFacts, serveWithKey } from '../many-sources.ts'
import { answerIn, type Scene } from '../scene.ts'
import { openTab, type ServedTab } from '../serving.ts'

const count = 300

export function manySources(scene: Scene): void {
  describe('of a server that needs a key', () => {
    let server: KeyServer
    let tab: ServedTab
    beforeAll(async () => {
      server = await serveWithKey(scene.folder.path)
      tab = await openTab(scene.context, server.url)
    })
    afterAll(async () => {
      await tab?.page.close()
      await server?.stop()
    })

    it('asks for it, says that a wrong one is wrong, and forgets it when told', async () => {
      const { page, faults } = tab
      const field = page.getByLabel('Key', { exact: true })
      expect(await violations(page)).toEqual([])
      await field.fill('memagent-wrong')
      await field.press('Enter')
      await page.getByRole('alert').getByText('The key was not accepted.').waitFor()
      await field.fill(server.key)
      await field.press('Enter')
      await page.getByRole('heading', { name: 'New reading' }).waitFor()
      expect(page.url()).not.toContain(server.key)
      await page.reload()
      await page.getByRole('heading', { name: 'New reading' }).waitFor()
      const { page: other } = await openTab(scene.context, server.url)
      await other.getByRole('heading', { name: 'This server needs a key' }).waitFor()
      await other.close()
      await page.getByRole('button', { name: 'Forget the key' }).click()
      await field.fill(server.key)
      await field.press('Enter')
      await page.getByRole('heading', { name: 'New reading' }).waitFor()
      expect(faults).toEqual([])
    })

    it(`leads to the last of ${count} sources without stalling`, async () => {
      const { page, faults } = tab
      await writeFile(scene.folder.join('ferry.txt'), manyFacts(count))
      await page.setInputFiles('input[type=file]', scene.folder.join('ferry.txt'))
      await page.getByRole('textbox', { name: 'Question' }).fill('What did the ferry bring on each day?')
      await page.getByRole('button', { name: 'Start reading' }).click()
      await answerIn(page).waitFor()
      await watchLongTasks(page)
      await page.getByRole('button', { name: `Show all ${count} statements` }).click()
      const last = answerIn(page).locator('figure').last()
      await last.scrollIntoViewIfNeeded()
      expect(await last.locator('blockquote').textContent()).toContain(`On day ${count} `)
      await last.getByRole('button', { name: 'in the text' }).click()
      expect(await page.getByRole('dialog').locator('mark').innerText()).toContain(`On day ${count} `)
      await page.keyboard.press('Escape')
      await last.getByRole('button', { name: /ferry\.txt, line/ }).click()
      const pointed = page.locator('figure.pointed')
      await pointed.getByText(`On day ${count} `).waitFor()
      const { y, height } = (await pointed.boundingBox())!
      expect([y > 0, y + height < 900]).toEqual([true, true])
      // Quiet machines have no task that takes 50 ms.
      expect(await longestTask(page)).toBeLessThan(500)
      expect(faults).toEqual([])
    })
  })
}

const watchLongTasks = (page: Page) =>
  page.evaluate(`globalThis.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })`)

/** Milliseconds for which the page was blocked. */
const longestTask = async (page: Page): Promise<number> => Number(await page.evaluate('longest'))
