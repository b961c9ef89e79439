/** What a tab holds, after its garbage was collected. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

export interface TabMemory {
  /** Objects of scripts, and the buffers behind them; MiB. */
  readonly heapMiB: number
  readonly nodes: number
  readonly listeners: number
  /** Of its process; MiB. */
  readonly residentMiB: number
}

/** @returns takes a measurement */
export async function tabMemory(browser: Browser, page: Page): Promise<() => Promise<TabMemory>> {
  const tab = await page.context().newCDPSession(page)
  const whole = await browser.newBrowserCDPSession()
  await tab.send('Performance.enable')
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  return async () => {
    await tab.send('HeapProfiler.collectGarbage')
    const heap = (await tab.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number }
    const { metrics } = await tab.send('Performance.getMetrics')
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0
    return {
      heapMiB: mebibytes(heap.usedSize + (heap.backingStorageSize ?? 0)),
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
      // The tab's own process is the largest; others are spare.
      residentMiB: Math.max(...renderers.map(residentMiB)),
    }
  }
}

const mebibytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(1))

function residentMiB(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kibibytes ?? 0) / 1024)
}
