/** What the browser tests of the served page share: one browser, one server of the real command, one model's server. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hook, type StubServer, temporaryFolder } from '@memagent/core/testing'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { launch } from './browser.ts'
import { harbourLog, noteTaker, question } from './lighthouse.ts'
import { openContext, openTab, type Serving, serveFrom } from './serving.ts'

/** Days of the log, each of them a step. */
export const days = 48

export class Scene {
  readonly folder: ReturnType<typeof temporaryFolder>
  browser!: Browser
  context!: BrowserContext
  stub!: StubServer
  server!: Serving
  /** Delay of every reply; milliseconds. */
  pace = 0
  /** What the model's server fails with. */
  failure: string | undefined

  constructor(folder: Scene['folder']) {
    this.folder = folder
  }

  open = async (): Promise<void> => {
    const { folder } = this
    await writeFile(folder.join('log.txt'), harbourLog(days))
    await writeFile(folder.join('profile.json'), JSON.stringify(profile))
    this.stub = await noteTaker(async () => {
      await sleep(this.pace)
      if (this.failure !== undefined) throw new Error(this.failure)
      return undefined
    })
    const { baseUrl } = this.stub
    this.server = await serveFrom(folder.join('data'), [
      ...['--model', 'openai:stub', '--base-url', baseUrl, '--profile', folder.join('profile.json')],
      ...['--retries', '0', '--no-cache', '--reports', recordedReports],
    ])
    this.browser = await launch()
    this.context = await openContext(this.browser)
  }

  close = async (): Promise<void> => {
    await this.browser?.close()
    await this.server?.stop()
    await this.stub?.close()
  }

  tab = (place = '') => openTab(this.context, `${this.server.url}/${place}`)

  /** @returns the address of the run */
  async begin(page: Page, file = this.folder.join('log.txt'), questions = [question]): Promise<string> {
    await page.goto(`${this.server.url}/#/`)
    await page.setInputFiles('input[type=file]', file)
    for (const [i, one] of questions.entries()) {
      if (i > 0) await page.getByRole('button', { name: 'Another question' }).click()
      await page.getByRole('textbox', { name: 'Question' }).nth(i).fill(one)
    }
    await page.getByRole('button', { name: 'Start reading' }).click()
    await page.waitForURL(/#\/runs\/.+/)
    return page.url()
  }
}

/** The hooks open and close it: `sceneOf(beforeAll, afterAll)`. */
export function sceneOf(before: Hook, after: Hook): Scene {
  const scene = new Scene(temporaryFolder(before, after))
  before(scene.open)
  after(scene.close)
  return scene
}

const recordedReports = join(import.meta.dirname, '../../recipes/nano/results')

/** Says that the model was trained for one workflow. */
const profile = {
  name: 'small',
  budget: { window: 8192, question: 1024, chunk: 120, memory: 200, output: 200 },
  workflows: ['overwrite'],
}

export const answerIn = (page: Page): Locator => page.getByRole('region', { name: 'Answer' })

/** Steps that the page knows of. */
export const stepsIn = async (page: Page): Promise<number> =>
  Number(await page.getByRole('slider').getAttribute('max'))
