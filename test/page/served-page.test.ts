/** The page of a server, in a browser: all cases share one browser and one server of the real command. */
import { afterAll, beforeAll, describe } from 'vitest'
import { chromiumPath } from './browser.ts'
import { manySources } from './cases/many-sources.ts'
import { manyTabs } from './cases/many-tabs.ts'
import { newReadings } from './cases/new-readings.ts'
import { reportsInPage } from './cases/reports.ts'
import { runsInPage } from './cases/runs.ts'
import { sessionsInPage } from './cases/sessions.ts'
import { watchedReadings } from './cases/watched-readings.ts'
import { sceneOf } from './scene.ts'

const reason = chromiumPath ? '' : ' (skipped: no Chromium on the PATH)'

describe.skipIf(chromiumPath === undefined)(`the page of serve${reason}`, { timeout: 120_000 }, () => {
  const scene = sceneOf((action) => beforeAll(action, 180_000), afterAll)
  newReadings(scene)
  watchedReadings(scene)
  runsInPage(scene)
  reportsInPage(scene)
  sessionsInPage(scene)
  manyTabs(scene)
  manySources(scene)
})
