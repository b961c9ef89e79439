/** Runs that have ended: from a statement to the text, saved, erased, and open to everybody. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { violations } from '../browser.ts'
import { answer } from '../lighthouse.ts'
import { answerIn, type Scene } from '../scene.ts'

export function runsInPage(scene: Scene): void {
  it('leads from a statement to its step, its passage and the text around it, with the keyboard alone', async () => {
    scene.pace = 0
    const { page, faults } = await scene.tab()
    await scene.begin(page)
    await answerIn(page).getByRole('button', { name: 'log.txt, line 75, step 38' }).press('Enter')
    const slider = page.getByRole('slider')
    expect(await slider.getAttribute('aria-valuetext')).toBe(
      'Step 38 of 48, log.txt, line 75, the memory changed',
    )
    await page.locator('figure.pointed').getByRole('button', { name: 'in the text' }).press('Enter')
    const dialog = page.getByRole('dialog')
    expect(await dialog.locator('mark').innerText()).toBe(
      'The keeper of the lighthouse is reached on channel 16.',
    )
    expect(await dialog.innerText()).toContain('Day 37.')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await slider.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('.memory ins').innerText()).toBe('- The lighthouse is kept by Ann Hale.')
    expect(page.url()).toMatch(/step=3$/)
    await page.getByRole('textbox', { name: 'Ask the memory something else' }).fill('Who keeps it?')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Who keeps it?' }).waitFor()
    await answerIn(page).getByText(answer).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('saves a run as a page and as lines, and erases it', async () => {
    const { page, faults } = await scene.tab()
    await scene.begin(page)
    await answerIn(page).waitFor()
    for (const [name, wanted] of [
      ['Save as a page', 'application/json'],
      ['Export JSON lines', 'memory-end'],
    ] as const) {
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      const path = await (await saving).path()
      expect([name, (await readFile(path, 'utf8')).includes(wanted)]).toEqual([name, true])
    }
    const focused = page.locator(':focus')
    await page.getByRole('button', { name: 'Delete …' }).press('Enter')
    const described = { name: 'Keep', description: 'Erase the run and its memories?' }
    await page.getByRole('button', described).waitFor()
    await expect.poll(() => focused.innerText()).toBe('Keep')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused.innerText()).toBe('Delete …')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(await page.title()).toBe('Runs – memagent')
    expect(faults).toEqual([])
    await page.close()
  })

  it('are found by words, and two of them are compared and scrubbed together', async () => {
    const { page, faults } = await scene.tab()
    for (const _ of [1, 2]) {
      await scene.begin(page)
      await answerIn(page).waitFor()
    }
    await page.getByRole('link', { name: 'Runs' }).click()
    // The page of a run has a search of its own.
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    const rows = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    const search = page.getByRole('searchbox')
    await search.fill('no such words')
    await page.getByText('No run matches.').waitFor()
    await search.fill('since when')
    await rows.nth(1).waitFor()
    for (const i of [0, 1]) await rows.nth(i).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Compare two' }).click()
    const column = (number: number) => page.getByRole('region', { name: `Run ${number}`, exact: true })
    for (const number of [1, 2]) await column(number).getByText(answer).waitFor()
    await column(1).getByRole('slider').press('Home')
    await expect.poll(() => column(2).getByRole('slider').inputValue()).toBe('1')
    expect(faults).toEqual([])
    await page.close()
  })

  it('can be used by everybody: wide, narrow, light and dark', async () => {
    const { page, faults } = await scene.tab()
    const address = await scene.begin(page)
    await answerIn(page).waitFor()
    const id = basename(address)
    await page.goto(`${scene.server.url}/#/runs`)
    await page.getByRole('list', { name: 'Runs' }).waitFor()
    const { reports } = (await (await page.request.get(`${scene.server.url}/api/reports`)).json()) as {
      reports: { id: string; name: string }[]
    }
    const report = reports.find(({ name }) => name === 'evaluation.jsonl')!
    const lists = ['#/runs', '#/sessions', '#/reports']
    const places = ['#/', ...lists, `#/runs/${id}`, `#/compare/${id}/${id}`, `#/reports/${report.id}`]
    for (const place of places) {
      await page.goto(`${scene.server.url}/${place}`)
      await page.waitForLoadState('networkidle')
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [1280, 'dark'],
        [360, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        expect([place, width, colorScheme, await violations(page)]).toEqual([place, width, colorScheme, []])
        expect([place, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([place, width])
      }
    }
    expect(faults).toEqual([])
    await page.close()
  })
}
