/** The page of a server that the real command runs, in a browser. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StubServer, temporaryFolder } from '@memagent/core/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launch, violations } from './browser.ts'
import { answer, harbourLog, noteTaker, question } from './lighthouse.ts'
import { openContext, openTab, type Serving, serveFrom } from './serving.ts'

const reason = chromiumPath ? '' : ' (skipped: no Chromium on the PATH)'
const folder = temporaryFolder(beforeAll, afterAll)
const corpus = join(import.meta.dirname, '../../packages/documents/src/testing/__fixtures__/corpus')
let browser: Browser
let context: BrowserContext
let stub: StubServer
let server: Serving
/** Of every reply; milliseconds. */
let pace = 0

describe.skipIf(chromiumPath === undefined)(`the page of serve${reason}`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await writeFile(folder.join('log.txt'), harbourLog(48))
    stub = await noteTaker(async () => {
      await sleep(pace)
      return undefined
    })
    const model = ['--model', 'openai:stub', '--base-url', stub.baseUrl, '--chunk', '120', '--memory', '200']
    server = await serveFrom(folder.join('data'), model)
    browser = await launch()
    context = await openContext(browser)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await stub?.close()
  })

  const answerIn = (page: Page) => page.getByRole('region', { name: 'Answer' })

  /** @returns the address of the run */
  async function begin(page: Page): Promise<string> {
    await page.goto(`${server.url}/#/`)
    await page.setInputFiles('input[type=file]', folder.join('log.txt'))
    await page.getByRole('textbox', { name: 'Question' }).fill(question)
    await page.getByRole('button', { name: 'Start reading' }).click()
    await page.waitForURL(/#\/runs\/.+/)
    return page.url()
  }

  it('takes files of every kind, shows what is read of them, and says what cannot be read', async () => {
    const { page, faults } = await openTab(context, server.url)
    const names = (await readdir(corpus)).filter((name) => /\./.test(name))
    const kinds = [...new Map(names.map((name) => [name.replace(/^[^.]*/, ''), name])).values()]
    const files = [...new Set([...kinds, 'report.pdf', 'encrypted.pdf', 'scan.pdf', 'half-scan.pdf'])]
    await page.setInputFiles(
      'input[type=file]',
      files.map((name) => join(corpus, name)),
    )
    const rows = page.getByRole('list', { name: 'Files to read' }).getByRole('listitem')
    await expect
      .poll(async () => await rows.filter({ hasText: /What is read of it|cannot be read/ }).count(), {
        timeout: 60_000,
      })
      .toBe(files.length)
    const row = (name: string) => rows.filter({ has: page.getByText(name, { exact: true }) })
    for (const name of ['encrypted.pdf', 'scan.pdf']) {
      expect(await row(name).getByRole('alert').innerText()).toMatch(/password|text/)
    }
    expect(await row('half-scan.pdf').innerText()).toMatch(/page 2/i)
    await row('report.pdf').locator('summary').click()
    expect(await row('report.pdf').getByRole('region').innerText()).toContain('founded in 1742.')
    const failed = await rows.filter({ hasText: 'cannot be read' }).locator('strong').allInnerTexts()
    expect(failed.filter((name) => !/^(encrypted|scan|old)\b/.test(name))).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  })

  it('shows a reading as it goes on, through a server that is killed and comes back', async () => {
    pace = 80
    const { page, faults } = await openTab(context, server.url)
    await begin(page)
    const slider = page.getByRole('slider')
    const steps = async () => Number(await slider.getAttribute('max'))
    await expect.poll(steps, { timeout: 30_000 }).toBeGreaterThan(5)
    expect(await page.getByRole('progressbar').count()).toBe(1)
    await server.kill()
    await page.getByText('The connection is lost.').first().waitFor()
    expect(await answerIn(page).count()).toBe(0)
    pace = 0
    await server.restart()
    await answerIn(page).getByText(answer).waitFor({ timeout: 60_000 })
    expect(await steps()).toBe(48)
    // Everything that the memory went through, once.
    expect(await page.locator('.list li').allInnerTexts()).toHaveLength(7)
    expect(faults).toEqual([])
    await page.close()
  })

  it('leads from a statement to its step, its passage and the text around it, with the keyboard alone', async () => {
    pace = 0
    const { page, faults } = await openTab(context, server.url)
    await begin(page)
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
    const { page, faults } = await openTab(context, server.url)
    await begin(page)
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
    await page.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('is followed in ten tabs at once, which leave connections for everything else', async () => {
    pace = 60
    const first = await openTab(context, server.url)
    const address = await begin(first.page)
    const tabs = [first, ...(await Promise.all(Array.from({ length: 9 }, () => openTab(context, address))))]
    const other = await openTab(context, `${server.url}/#/runs`)
    await other.page.getByRole('list', { name: 'Runs' }).waitFor({ timeout: 15_000 })
    pace = 0
    for (const { page } of tabs) await answerIn(page).getByText(answer).waitFor({ timeout: 60_000 })
    for (const { page, faults } of [...tabs, other]) {
      expect(faults).toEqual([])
      await page.close()
    }
  })

  it('can be used by everybody: wide, narrow, light and dark', async () => {
    const { page, faults } = await openTab(context, server.url)
    const address = await begin(page)
    await answerIn(page).waitFor()
    const id = basename(address)
    await page.goto(`${server.url}/#/runs`)
    await page.getByRole('list', { name: 'Runs' }).waitFor()
    const places = ['#/', `#/runs/${id}`, '#/runs', `#/compare/${id}/${id}`, '#/sessions']
    for (const place of places) {
      await page.goto(`${server.url}/${place}`)
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
})
