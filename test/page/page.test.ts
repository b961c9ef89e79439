/** The page of a run that the real command read and wrote, in a browser. */
import { readFile, writeFile } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'
import { temporaryFolder } from '@memagent/core/testing'
import { runPageHtml } from '@memagent/web'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../cli/run-cli.ts'
import { chromiumPath, launch, openFile, violations } from './browser.ts'
import { answer, harbourLog, noteTaker, question } from './lighthouse.ts'

const reason = chromiumPath ? '' : ' (skipped: no Chromium on the PATH)'
const folder = temporaryFolder(beforeAll, afterAll)
let browser: Browser

describe.skipIf(chromiumPath === undefined)(`show --html${reason}`, () => {
  const path = () => folder.join('run.html')

  beforeAll(async () => {
    const server = await noteTaker()
    const options = { environment: { XDG_DATA_HOME: folder.join('data') }, folder: folder.join('.') }
    const model = [
      '--model',
      'openai:stub',
      '--base-url',
      server.baseUrl,
      '--chunk',
      '120',
      '--memory',
      '200',
    ]
    await writeFile(folder.join('log.txt'), harbourLog(48))
    const asked = await runCommand(['ask', question, 'log.txt', ...model], options)
    expect(asked.stdout).toBe(`${answer}\n`)
    await server.close()
    const [{ id }] = JSON.parse((await runCommand(['runs', '--json'], options)).stdout)
    const shown = await runCommand(['show', id, '--html', 'run.html'], options)
    expect(shown).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('run.html is written'),
    })
    browser = await launch()
  }, 180_000)
  afterAll(() => browser?.close())

  it('shows the answer with its outcome, and leads from a source to its step and passage', async () => {
    const { page, faults } = await openFile(browser, path())
    expect(await page.locator('h1').innerText()).toBe(question)
    const outcome = page.getByRole('region', { name: 'Answer' })
    expect(await outcome.innerText()).toContain(answer)
    expect(await outcome.locator('.badge').innerText()).toBe('found')
    await page.getByRole('button', { name: 'log.txt, line 75, step 38' }).click()
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe(
      'Step 38 of 48, log.txt, line 75, the memory changed',
    )
    expect(await page.locator('figure.pointed blockquote').innerText()).toBe(
      'The keeper of the lighthouse is reached on channel 16.',
    )
    expect(await page.evaluate('location.hash')).toBe('#step=38')
    expect(faults).toEqual([])
  })

  it('is scrubbed with the keyboard, and says what changed', async () => {
    const { page, faults } = await openFile(browser, `${path()}`)
    const slider = page.getByRole('slider')
    const memory = page.locator('.memory')
    await slider.focus()
    await page.keyboard.press('Home')
    expect(await slider.inputValue()).toBe('1')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await memory.locator('del').innerText()).toBe('Nothing about the lighthouse yet.')
    expect(await memory.locator('ins').innerText()).toBe('- The lighthouse is kept by Ann Hale.')
    await page.keyboard.press('End')
    expect(await memory.innerText()).toBe(
      [
        '- The lighthouse has been kept by Tom Berg since 3 May.',
        '- The keeper of the lighthouse is reached on channel 16.',
        '- The lamp of the lighthouse burns on electricity from the mainland.',
      ].join('\n'),
    )
    await page.getByRole('button', { name: 'Previous change' }).click()
    expect(await slider.inputValue()).toBe('38')
    await expect.poll(() => page.locator('[aria-live]').innerText()).toBe('Step 38. Added: 16. Removed: 12')
    // The thumb is at its bar.
    const bar = (await page.locator('path.changes').boundingBox())!
    const strip = (await page.locator('.strip').boundingBox())!
    const halfThumb = 0.45 * 16
    const thumb = strip.x + halfThumb + (37 / 47) * (strip.width - 2 * halfThumb)
    expect(Math.abs(bar.x + bar.width - thumb)).toBeLessThan(0.02 * strip.width)
    expect(faults).toEqual([])
  })

  it('finds where the memory began and ceased to say something', async () => {
    const { page, faults } = await openFile(browser, path())
    await page.getByRole('searchbox').fill('Paraffin')
    await page.getByText('Found in 2 steps.').waitFor()
    expect(await page.locator('.list li').allInnerTexts()).toEqual([
      expect.stringMatching(/^9\s*memory, from here on:/),
      expect.stringMatching(/^31\s*memory, no longer:/),
    ])
    await page.locator('.list li button').first().click()
    expect(await page.getByRole('slider').inputValue()).toBe('9')
    await page.getByRole('searchbox').fill('nowhere at all')
    await page.getByText('No matches.').waitFor()
    expect(faults).toEqual([])
  })

  it('can be used by everybody: wide, narrow, light and dark', async () => {
    const { page, faults } = await openFile(browser, path(), { viewport: { width: 1280, height: 900 } })
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [360, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    expect(faults).toEqual([])
  })

  it('shows a step in which a warning and a passage come twice', async () => {
    const statement = { text: 'The gate is open.', verdict: 'found' as const, step: 1, passages: [0, 0] }
    const ranges = [{ file: 0, startByte: 0, endByte: 40 }]
    const html = await runPageHtml({
      version: 1,
      madeMs: 0,
      run: {
        ...{ id: '0123456789', question: 'Is it open?', document: 'log.txt', model: 'openai:stub' },
        ...{ workflow: 'parallel', state: 'unfinished', createdMs: 0, updatedMs: 0, steps: 2 },
      },
      files: ['log.txt'],
      passages: [{ quote: 'They opened the gate.', file: 0, startByte: 0, endByte: 21, step: 1 }],
      warnings: ['A part was lost.'],
      start: '',
      steps: [{ ranges }, { ranges, change: [statement.text], warnings: [0, 0], statements: [statement] }],
    })
    await writeFile(folder.join('twice.html'), html)
    const { page, faults } = await openFile(browser, folder.join('twice.html'))
    await page.getByText('A part was lost.').first().waitFor()
    expect(await page.getByText('They opened the gate.').count()).toBe(2)
    expect(faults).toEqual([])
  })

  it('keeps to itself: no path of this machine, and nothing of the text but what is quoted', async () => {
    const html = await readFile(path(), 'utf8')
    expect(html).toContain("default-src 'none'")
    const { timeline, passages, ...rest } = JSON.parse(/id="run">(.*)<\/script>/.exec(html)![1]!)
    const parts: string[] = [...timeline.steps.parts, ...passages.parts]
    const kept = parts.map((part) => inflateRawSync(Buffer.from(part, 'base64')).toString()).join('\n')
    expect(kept).toContain('The keeper of the lighthouse is reached on channel 16.')
    for (const text of [html, JSON.stringify(rest), kept]) {
      expect(text).not.toContain(folder.join('.'))
      expect(text).not.toContain('the ferry was forty minutes late')
    }
  })
})
