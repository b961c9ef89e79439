/**
 * The pictures of `docs/pictures`, taken anew: `npm run pictures`. The bundled model reads a log on the page of the real
 * `memagent serve`, and `memagent show --html` writes the same run as a file. Look at them before they are committed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { runCommand } from '../cli/run-cli.ts'
import { chromiumPath, launch } from './browser.ts'
import { harbourLog } from './lighthouse.ts'
import { serveFrom } from './serving.ts'

const root = join(import.meta.dirname, '../..')
const question = 'What is the access code for the South Gate?'
const forms = [
  ['wide', 1200, 900, 'light'],
  ['dark', 1200, 900, 'dark'],
  ['narrow', 390, 844, 'light'],
] as const

if (chromiumPath === undefined) throw new Error('There is no Chromium on the PATH.')
const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const log = join(folder, 'harbour-log.txt')
await writeFile(log, logWithCodes())
const server = await serveFrom(join(folder, 'data'), ['--reports', join(root, 'recipes/nano/results')])
const browser = await launch()

const id = await read(await browser.newPage())
await take('page', `${server.url}/#/runs/${id}`, ready)
await take('new-reading', `${server.url}/#/`, prepared, ['wide'])
await take('report', `${server.url}/#/reports/${await reportId('evaluation.jsonl')}`, atAccuracy, ['wide'])
const file = join(folder, 'run.html')
await runCommand(['show', id, '--html', file], { environment: { XDG_DATA_HOME: join(folder, 'data') } })
await take('run', pathToFileURL(file).href, ready)

await browser.close()
await server.stop()
rmSync(folder, { recursive: true })

/** The code appears twice, the second time with another value. */
function logWithCodes(): string {
  const days = harbourLog(300).split('\n\n')
  days[110] += ' The access code for the South Gate is 38114.'
  days[212] += ' From today the access code for the South Gate is 70956.'
  return days.join('\n\n')
}

/** @returns the id of the run */
async function read(tab: Page): Promise<string> {
  await tab.goto(server.url)
  await tab.setInputFiles('input[type=file]', log)
  await tab.getByRole('textbox', { name: 'Question' }).fill(question)
  await tab.getByRole('button', { name: 'Start reading' }).click()
  await tab.getByRole('region', { name: 'Answer' }).waitFor({ timeout: 300_000 })
  return basename(new URL(tab.url()).hash.split('?')[0]!)
}

async function prepared(tab: Page): Promise<void> {
  const corpus = join(root, 'packages/documents/src/testing/__fixtures__/corpus')
  await tab.setInputFiles('input[type=file]', [log, join(corpus, 'half-scan.pdf')])
  await tab.getByText('no text on page 2').waitFor()
  await tab.getByRole('textbox', { name: 'Question' }).fill(question)
  await tab.getByRole('status', { name: 'Estimate' }).getByText('calls').waitFor()
}

async function atAccuracy(tab: Page): Promise<void> {
  const heading = tab.getByRole('heading', { name: 'Accuracy over length' })
  await heading.evaluate((element) => (element as unknown as { scrollIntoView(): void }).scrollIntoView())
}

async function ready(tab: Page): Promise<void> {
  await tab.getByRole('region', { name: 'Answer' }).waitFor()
  await tab.getByRole('slider').waitFor()
}

async function reportId(name: string): Promise<string> {
  const { reports } = (await (await fetch(`${server.url}/api/reports`)).json()) as {
    reports: { id: string; name: string }[]
  }
  return reports.find((one) => one.name === name)!.id
}

async function take(
  name: string,
  address: string,
  prepare: (tab: Page) => Promise<void>,
  wanted: readonly string[] = forms.map(([form]) => form),
): Promise<void> {
  for (const [form, width, height, colorScheme] of forms) {
    if (!wanted.includes(form)) continue
    const context = await (browser as Browser).newContext({ viewport: { width, height }, colorScheme })
    const tab = await context.newPage()
    await tab.goto(address)
    await prepare(tab)
    await tab.waitForTimeout(500)
    const path = join(root, `docs/pictures/${name}-${form}.png`)
    await tab.screenshot({ path })
    await context.close()
    // Cuts the size to a third, if it is installed.
    spawnSync('pngquant', ['--force', '--output', path, '--strip', '32', path])
  }
}
