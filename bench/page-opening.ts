/**
 * How long the page of a long run takes to open in Chromium, recorded in `bench/results/page-opening.json`:
 *
 *     npm run bench:page [-- --steps 13000 --repeats 5]
 *
 * A scripted model reads a log of this many steps; in one run every hundredth step changes the memory, in the other every
 * one. `show --html` of the real command writes the page. Opened: the heading, the answer and the memory of the last step are
 * painted. Scrubbed: the first step is shown after the key `Home`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createScriptedModel,
  createTextDocument,
  paperProfile,
  readDocument,
  withBudget,
} from '@memagent/core'
import { openRunStore } from '@memagent/store'
import type { Browser } from 'playwright-core'
import { runCommand } from '../test/cli/run-cli.ts'
import { chromiumPath, launch, openFile } from '../test/page/browser.ts'
import { machine, median, record } from './recording.ts'

const { values: options } = parseArgs({
  options: { steps: { type: 'string', default: '13000' }, repeats: { type: 'string', default: '5' } },
})
const steps = Number(options.steps)
const repeats = Number(options.repeats)
if (chromiumPath === undefined) throw new Error('There is no Chromium on the PATH.')

const folder = mkdtempSync(join(tmpdir(), 'page-opening-'))
const location = join(folder, 'runs.sqlite')
const store = await openRunStore(location)
const sentence = (day: number) =>
  `On day ${day} the ferry Elin brought ${(day * 37) % 211} passengers and ${(day * 13) % 97} crates, and the wind came from the ${['north', 'east', 'south', 'west'][day % 4]}.`

/** @param every steps per change of the memory @returns the id of the run */
async function readLog(every: number): Promise<string> {
  const profile = withBudget(paperProfile, { chunk: 40 })
  // A chunk has room for two of them.
  const text = Array.from({ length: 2 * steps }, (_, day) => sentence(day)).join('\n')
  const document = createTextDocument(text, 'ferry.log')
  let step = 0
  let memory = 'Nothing so far.'
  const model = createScriptedModel(
    ({ messages }: { messages: readonly { content: string }[] }) => {
      const section = /<section>\s*([\s\S]*?)\s*<\/section>/.exec(messages.at(-1)!.content)?.[1]
      if (section === undefined) return '\\boxed{The ferry Elin}'
      if (step++ % every === 0) memory = [section.slice(0, 120), ...memory.split('\n')].slice(0, 6).join('\n')
      return memory
    },
    { profile },
  )
  const question = `Which ferry brought most passengers, in a log of which every ${every}. step changes the notes?`
  const run = store.begin({ question, document: 'ferry.log', model: model.name, workflow: 'overwrite' })
  const reading = readDocument({ question, document, model, checkpoints: run, provenance: true })
  for await (const event of reading) {
    if (event.type !== 'answer') continue
    const { id } = run
    await run.finish(event)
    return id!
  }
  throw new Error('The reading has no answer.')
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}

async function openOnce(browser: Browser, path: string) {
  let opened: Awaited<ReturnType<typeof openFile>> | undefined
  const opening = await seconds(async () => {
    opened = await openFile(browser, path)
    const { page } = opened
    await page.waitForSelector('.memory')
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  })
  const { page, faults } = opened!
  const slider = page.getByRole('slider')
  const scrubbing = await seconds(async () => {
    await slider.press('Home')
    await page.waitForFunction("location.hash === '#step=1'")
  })
  const shown = Number(await slider.getAttribute('max'))
  const heapBytes = Number(await page.evaluate('performance.memory?.usedJSHeapSize ?? 0'))
  await page.context().close()
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return { opening, scrubbing, shown, heapBytes }
}

const summary = (values: readonly number[]) => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
})

const browser = await launch()
const pages = []
for (const every of [100, 1]) {
  const id = await readLog(every)
  const path = join(folder, `${every}.html`)
  const writing = await seconds(() => runCommand(['show', id, '--html', path, '--store', location]))
  await openOnce(browser, path)
  const opened = []
  for (let i = 0; i < repeats; i++) opened.push(await openOnce(browser, path))
  const page = {
    changesEverySteps: every,
    steps: opened[0]!.shown,
    pageBytes: statSync(path).size,
    heapBytes: opened[0]!.heapBytes,
    writeSeconds: writing,
    openSeconds: summary(opened.map(({ opening }) => opening)),
    scrubSeconds: summary(opened.map(({ scrubbing }) => scrubbing)),
  }
  console.log(JSON.stringify(page, undefined, 2))
  pages.push(page)
}
await browser.close()
await store.close()
const result = { date: new Date().toISOString(), machine: machine(), repeats, pages }
if (options.steps === '13000') record('page-opening', result)
rmSync(folder, { recursive: true })
