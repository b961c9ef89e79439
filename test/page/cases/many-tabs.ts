/** Two tabs, and more than a browser has connections for. */
import { expect, it } from 'vitest'
import { answer } from '../lighthouse.ts'
import { answerIn, type Scene } from '../scene.ts'

export function manyTabs(scene: Scene): void {
  it('is followed in ten tabs at once, which leave connections for everything else', async () => {
    scene.pace = 60
    const first = await scene.tab()
    const place = new URL(await scene.begin(first.page)).hash
    const tabs = [first, ...(await Promise.all(Array.from({ length: 9 }, () => scene.tab(place))))]
    const other = await scene.tab('#/runs')
    await other.page.getByRole('list', { name: 'Runs' }).waitFor({ timeout: 15_000 })
    scene.pace = 0
    for (const { page } of tabs) await answerIn(page).getByText(answer).waitFor({ timeout: 60_000 })
    for (const { page, faults } of [...tabs, other]) {
      expect(faults).toEqual([])
      await page.close()
    }
  })
}
