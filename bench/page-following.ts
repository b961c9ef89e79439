/**
 * A tab that follows a reading of 3.5 million tokens, recorded in `bench/results/page-following.json`:
 *
 *     npm run bench:following [-- --tokens 3500000 --repeats 9]
 *
 * The real command serves, over a model's server that replies at once and changes its notes with every chunk. The text is
 * uploaded on the page, and the tab's memory measured on the way, after a garbage collection. Before that, fresh browsers
 * open the page. It fails if the tab grows, stalls or misses a step, or if the page comes late or is heavy.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { chromiumPath, launch } from '../test/page/browser.ts'
import { openContext, openTab, serveFrom } from '../test/page/serving.ts'
import { ferryNotes, writeFerryLog } from './page-following/ferry-log.ts'
import { firstPaint } from './page-following/first-paint.ts'
import { type TabMemory, tabMemory } from './page-following/tab-memory.ts'
import { machine, median, record } from './recording.ts'

const { values: options } = parseArgs({
  options: { tokens: { type: 'string', default: '3500000' }, repeats: { type: 'string', default: '9' } },
})
/** Beyond these, it fails. */
const most = {
  grownMiB: 4,
  residentGrownMiB: 60,
  nodesGrown: 400,
  longestTaskMs: 500,
  firstPaintMs: 1000,
  bytes: 150_000,
}
if (chromiumPath === undefined) throw new Error('There is no Chromium on the PATH.')

const folder = mkdtempSync(join(tmpdir(), 'page-following-'))
const log = join(folder, 'ferry.log')
const tokens = await writeFerryLog(log, Number(options.tokens))
const stub = await ferryNotes()
const server = await serveFrom(join(folder, 'data'), [
  ...['--model', 'openai:stub', '--base-url', stub.baseUrl, '--log', 'none'],
  ...['--window', '2000', '--question-budget', '100', '--chunk', '270', '--memory', '400', '--output', '100'],
])
const browser = await launch()

const paints = []
for (let i = 0; i < Number(options.repeats); i++) paints.push(await firstPaint(browser, server.url))

const { page, faults } = await openTab(await openContext(browser), server.url)
await page.setInputFiles('input[type=file]', log)
await page.getByRole('textbox', { name: 'Question' }).fill('Which ferry came?')
const begin = page.getByRole('button', { name: 'Start reading' })
await begin.click({ timeout: 120_000 })
await page.getByRole('slider').waitFor()
await watchTasks(page)
const measure = await tabMemory(browser, page)
const startMs = performance.now()
const along = await follow(page, measure)
const seconds = Math.round((performance.now() - startMs) / 1000)
const tasks = (await page.evaluate('tasks')) as { longestMs: number; sumMs: number }
const ended = { steps: await stepsOf(page), ...(await measure()) }
await browser.close()
await server.stop()
await stub.close()
rmSync(folder, { recursive: true })

/** Measures about twenty times on the way, until the answer is there. */
async function follow(tab: Page, take: () => Promise<TabMemory>) {
  const taken: ({ readonly steps: number } & TabMemory)[] = []
  const answer = tab.getByRole('region', { name: 'Answer' })
  while ((await answer.count()) === 0) {
    const steps = await stepsOf(tab)
    if (steps - (taken.at(-1)?.steps ?? 0) >= tokens / 270 / 20) taken.push({ steps, ...(await take()) })
    await sleep(200)
  }
  return taken
}

async function stepsOf(tab: Page): Promise<number> {
  return Number(await tab.getByRole('slider').getAttribute('max'))
}

async function watchTasks(tab: Page): Promise<void> {
  await tab.evaluate(`globalThis.tasks = { longestMs: 0, sumMs: 0 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        tasks.longestMs = Math.max(tasks.longestMs, duration)
        tasks.sumMs += duration
      }
    }).observe({ type: 'longtask' })`)
}

const first = along[0]!
const last = along.at(-1)!
const result = {
  date: new Date().toISOString(),
  machine: machine(),
  firstPaintMs: {
    median: Math.round(median(paints.map(({ firstPaintMs }) => firstPaintMs))),
    most: Math.round(Math.max(...paints.map(({ firstPaintMs }) => firstPaintMs))),
  },
  readyMs: Math.round(median(paints.map(({ readyMs }) => readyMs))),
  bytes: paints[0]!.bytes,
  tokens,
  calls: stub.callCount,
  seconds,
  start: first,
  middle: along[along.length >> 1],
  end: last,
  ended,
  grownMiB: Number((last.heapMiB - first.heapMiB).toFixed(1)),
  residentGrownMiB: last.residentMiB - first.residentMiB,
  heapMiBAlong: along.map(({ heapMiB }) => heapMiB).join(' '),
  longestTaskMs: Math.round(tasks.longestMs),
  longTasksShare: Number((tasks.sumMs / 1000 / seconds).toFixed(3)),
  most,
}
const problems = [
  ...faults,
  ...(result.grownMiB > most.grownMiB ? [`The tab grew by ${result.grownMiB} MiB.`] : []),
  ...(result.residentGrownMiB > most.residentGrownMiB
    ? [`Its process grew by ${result.residentGrownMiB} MiB.`]
    : []),
  ...(last.nodes - first.nodes > most.nodesGrown ? [`It has ${last.nodes - first.nodes} nodes more.`] : []),
  ...(result.longestTaskMs > most.longestTaskMs ? [`It stood still for ${result.longestTaskMs} ms.`] : []),
  ...(ended.steps !== stub.callCount - 1 ? [`${ended.steps} steps of ${stub.callCount - 1}.`] : []),
  ...(result.firstPaintMs.median > most.firstPaintMs ? ['The page is painted late.'] : []),
  ...(result.bytes > most.bytes ? ['The page is heavy.'] : []),
]
console.log(JSON.stringify(result, undefined, 2))
for (const problem of problems) console.error(problem)
if (options.tokens === '3500000') record('page-following', result)
process.exitCode = problems.length > 0 ? 1 : 0
