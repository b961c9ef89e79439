/** Recorded benchmarks and trainings on the page. */
import { expect, it } from 'vitest'
import type { Scene } from '../scene.ts'

export function reportsInPage(scene: Scene): void {
  it('shows recorded benchmarks and trainings: tables with intervals, curves, and what they are of', async () => {
    const { page, faults } = await scene.tab('#/reports')
    const list = page.getByRole('list', { name: 'Reports' })
    await page.getByRole('searchbox').fill('evaluation.j')
    await list.getByRole('link').click()
    const table = page.getByRole('table', {
      name: /^Mean over 5 tasks, strict.*weights sha256:07ed62eb7920…/,
    })
    expect(await table.getByRole('row', { name: /200,000/ }).innerText()).toMatch(
      /\d+\.\d\s+\d+\.\d–\d+\.\d, n \d+/,
    )
    await page.getByRole('link', { name: 'All reports' }).click()
    await list.getByRole('link', { name: 'edits-training.jsonl' }).click()
    await page.getByText('The log names no weights and no commit.').first().waitFor()
    const loss = page.getByRole('img', { name: 'Loss' })
    await expect
      .poll(
        async () => await loss.evaluate((image: unknown) => (image as { naturalWidth: number }).naturalWidth),
      )
      .toBe(360)
    expect(faults).toEqual([])
    await page.close()
  })
}
