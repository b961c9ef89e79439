/** What is prepared on the page: files, their texts, questions, the model. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answer, lampAnswer, lampQuestion, question } from '../lighthouse.ts'
import { answerIn, days, type Scene } from '../scene.ts'

const corpus = join(import.meta.dirname, '../../../packages/documents/src/testing/__fixtures__/corpus')

export function newReadings(scene: Scene): void {
  it('takes files of every kind, shows what is read of them, and says what cannot be used', async () => {
    const { page, faults } = await scene.tab()
    const names = (await readdir(corpus)).filter((name) => /\./.test(name))
    const kinds = [...new Map(names.map((name) => [name.replace(/^[^.]*/, ''), name])).values()]
    const files = [...new Set([...kinds, 'report.pdf', 'encrypted.pdf', 'scan.pdf', 'half-scan.pdf'])]
    await page.setInputFiles(
      'input[type=file]',
      files.map((name) => join(corpus, name)),
    )
    const rows = page.getByRole('list', { name: 'Files to read' }).getByRole('listitem')
    await expect
      .poll(async () => await rows.filter({ hasText: /What is read of it|cannot be used/ }).count(), {
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
    await page.getByRole('textbox', { name: 'Question' }).fill(question)
    const start = page.getByRole('button', { name: 'Start reading' })
    await page.getByText(/^\d+ files cannot be used\. Remove them to read without\.$/).waitFor()
    expect(await start.isDisabled()).toBe(true)
    const failed = await rows.filter({ hasText: 'cannot be used' }).locator('strong').allInnerTexts()
    expect(failed.filter((name) => !/^(encrypted|scan|old)\b/.test(name))).toEqual([])
    for (const name of failed) await page.getByRole('button', { name: `Remove ${name}` }).click()
    expect(await start.isDisabled()).toBe(false)
    expect(faults).toEqual([])
    await page.close()
  })

  it('takes files that are dropped and a text that is pasted, and shows what they say as text', async () => {
    const { page, faults } = await scene.tab()
    const hostile = `<img src=x onerror="document.title='owned'">`
    await page.getByRole('group', { name: 'Files' }).evaluate((field: unknown, text) => {
      const { DataTransfer, DragEvent, File } = globalThis as unknown as Record<
        string,
        new (
          ...parts: unknown[]
        ) => { items: { add(file: object): void } }
      >
      const dataTransfer = new DataTransfer!()
      dataTransfer.items.add(new File!([text], `${text}.txt`.replaceAll('/', '')))
      ;(field as { dispatchEvent(event: object): void }).dispatchEvent(
        new DragEvent!('drop', { dataTransfer, bubbles: true }),
      )
    }, hostile)
    const row = page.getByRole('list', { name: 'Files to read' }).getByRole('listitem')
    await row.locator('summary').click()
    expect(await row.getByRole('region').innerText()).toBe(hostile)
    await page.getByText('Paste a text').click()
    await page.getByLabel('Text', { exact: true }).fill('<script>document.title = "owned"</script>')
    await page.getByRole('textbox', { name: 'Question' }).fill(hostile)
    await page.getByRole('button', { name: 'Start reading' }).click()
    await answerIn(page).getByText(answer).waitFor()
    expect(await page.locator('h1').innerText()).toBe(hostile)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.title()).toContain('<img')
    expect(faults).toEqual([])
    await page.close()
  })

  it('keeps no file on the server that no reading uses', async () => {
    const { page, faults } = await scene.tab()
    expect(await page.title()).toBe('New reading – memagent')
    const status = async (id: string) =>
      (await page.request.get(`${scene.server.url}/api/files/${id}/text`)).status()
    const upload = async () => {
      const sent = page.waitForResponse('**/v1/files')
      await page.setInputFiles('input[type=file]', join(corpus, 'report.pdf'))
      const { id } = (await (await sent).json()) as { id: string }
      await page.getByText('What is read of it').waitFor()
      return id
    }
    const left = await upload()
    expect(await status(left)).toBe(200)
    await page.getByRole('link', { name: 'Runs' }).click()
    await expect.poll(() => status(left)).toBe(404)
    await page.getByRole('link', { name: 'New reading' }).click()
    const used = await upload()
    await page.getByRole('textbox', { name: 'Question' }).fill(question)
    await page.getByRole('button', { name: 'Start reading' }).click()
    await answerIn(page).waitFor()
    expect(await status(used)).toBe(200)
    await page.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(await status(used)).toBe(404)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says with the answer, too, that a page of a file has no text', async () => {
    const { page, faults } = await scene.tab()
    await scene.begin(page, join(corpus, 'half-scan.pdf'))
    await answerIn(page).waitFor()
    const remarks = page.getByRole('region', { name: 'Remarks on the text' })
    expect(await remarks.innerText()).toMatch(/half-scan\.pdf: no text on page 2/)
    expect(faults).toEqual([])
    await page.close()
  })

  it('reads a text once for several questions, each with a memory and an answer of its own', async () => {
    const { page, faults } = await scene.tab()
    await scene.begin(page, undefined, [question, lampQuestion])
    await answerIn(page).getByText(answer).waitFor()
    const questions = page.getByRole('navigation', { name: 'Questions' })
    await questions.getByRole('link', { name: lampQuestion }).click()
    await answerIn(page).getByText(lampAnswer).first().waitFor()
    expect(await page.locator('h1').innerText()).toBe(lampQuestion)
    expect(await questions.locator('.badge').allInnerTexts()).toEqual(['found', 'found'])
    expect(await page.locator('.memory').innerText()).not.toContain('kept')
    expect(faults).toEqual([])
    await page.close()
  })

  it('tells what a reading takes before it is begun, and again when something is changed', async () => {
    const { page, faults } = await scene.tab()
    await page.setInputFiles('input[type=file]', scene.folder.join('log.txt'))
    await page.getByRole('textbox', { name: 'Question' }).fill(question)
    const estimate = page.getByRole('status', { name: 'Estimate' })
    await estimate.getByText(`in ${days} chunks: ${days + 1} calls`).waitFor()
    await page.getByRole('button', { name: 'Another question' }).click()
    await page.getByRole('textbox', { name: 'Question 2' }).fill(lampQuestion)
    await estimate.getByText(`in ${days} chunks: ${2 * (days + 1)} calls`).waitFor()
    await page.getByRole('textbox', { name: 'Question 2' }).fill('Why? '.repeat(2000))
    await estimate.getByText('It cannot be estimated:').waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('says of a workflow that the model was not trained for it', async () => {
    const { page, faults } = await scene.tab()
    const choice = page.getByRole('combobox', { name: 'Workflow' })
    await choice.waitFor()
    expect(await choice.locator('option').first().innerText()).toBe('overwrite')
    await choice.selectOption('recall')
    expect(await choice.locator('option:checked').innerText()).toBe('recall (not trained for)')
    await page.getByText(/was trained for overwrite and skim, not for recall/).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
}
