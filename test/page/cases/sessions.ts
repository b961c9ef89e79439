/** Sessions on the page: begun, read into, asked. */
import { expect, it } from 'vitest'
import { violations } from '../browser.ts'
import { answer, question } from '../lighthouse.ts'
import { answerIn, type Scene } from '../scene.ts'

export function sessionsInPage(scene: Scene): void {
  it('reads into a session what is new, and asks its memory', async () => {
    const { page, faults } = await scene.tab('#/sessions')
    await page.getByRole('textbox', { name: 'Name of a session' }).fill('harbour')
    await page.getByRole('button', { name: 'Open or begin it' }).click()
    await page.getByText('There is no such session yet.').waitFor()
    await page.getByLabel('What its memory is for').fill(question)
    const readLog = async () => {
      await page.setInputFiles('input[type=file]', scene.folder.join('log.txt'))
      await page.getByRole('button', { name: 'Read into it' }).click()
    }
    await readLog()
    await page.getByText('Read into a session: its memory is below').waitFor()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: 'harbour' }).click()
    expect(await page.getByRole('region', { name: 'Memory' }).innerText()).toContain('Tom Berg')
    await readLog()
    await page.getByText('Nothing of it is new, so nothing is read.').waitFor()
    await page.getByText('Read before, as they are: log.txt').waitFor()
    expect(await violations(page)).toEqual([])
    const changed = { name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('A day without news.') }
    await page.reload()
    await page.setInputFiles('input[type=file]', changed)
    await page.getByRole('button', { name: 'Read into it' }).click()
    await page.getByText('Read before with another content, and not read again: log.txt').waitFor()
    await page.getByRole('button', { name: 'Read what has changed' }).click()
    await page.getByText('Read into a session: its memory is below').waitFor()
    await page.goto(`${scene.server.url}/#/sessions/harbour`)
    await page.getByLabel('Ask it').fill('Who keeps the lighthouse now?')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Who keeps the lighthouse now?' }).waitFor()
    await answerIn(page).getByText(answer).waitFor()
    await page.goto(`${scene.server.url}/#/sessions/harbour`)
    await page.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByText('There is none to show.').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
}
