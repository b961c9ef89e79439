import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endMark, sections, startMark, writePage } from '../../recipes/lab/report/page.ts'
import { readResults } from '../../recipes/lab/report/results.ts'
import { evaluation, scored, size, writeLines } from './made-results.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe('the page', () => {
  it('is written between its marks, twice the same, with plots that it shows', async () => {
    const [first, last] = scored(3, 1, 4)
    await writeLines(folder.join('rl-1.jsonl'), [evaluation(0, first), evaluation(50, last)])
    const docs = folder.join('docs')
    await mkdir(docs)
    const page = join(docs, 'experiments.md')
    await writeFile(page, `# Title\n\n${startMark}\nold\n${endMark}\n\nEnd.\n`)
    const blocks = sections(await readResults(folder.path), size)
    await writePage(page, blocks)
    const text = await readFile(page, 'utf8')
    await writePage(page, blocks)
    expect(await readFile(page, 'utf8')).toBe(text)
    expect(text.startsWith(`# Title\n\n${startMark}\n\n## Reinforcement learning`)).toBe(true)
    expect(text.endsWith(`${endMark}\n\nEnd.\n`)).toBe(true)
    expect(text).not.toContain('\nold\n')
    const plots = [...text.matchAll(/!\[[^\]]*\]\((plots\/[^)]+\.svg)\)/g)].map(([, name]) => name!)
    expect(plots).toHaveLength(1)
    expect(await readFile(join(docs, plots[0]!), 'utf8')).toMatch(/^<svg .*optimizer steps/s)
  })

  it('takes away the plots that it no longer shows, and no other file', async () => {
    const page = folder.join('page.md')
    await mkdir(folder.join('plots'))
    for (const name of ['old', 'another-page']) await writeFile(folder.join(`plots/${name}.svg`), '<svg/>')
    await writeFile(folder.join('notes.svg'), '<svg/>')
    const links = ['plots/old.svg', 'plots/../notes.svg', 'plots/gone.svg'].map((link) => `![plot](${link})`)
    await writeFile(page, `${startMark}\n${links.join('\n')}\n${endMark}\n![plot](plots/another-page.svg)`)
    await writePage(page, [])
    expect(await readdir(folder.join('plots'))).toEqual(['another-page.svg'])
    expect(await readdir(folder.path)).toContain('notes.svg')
  })

  it('needs its marks', async () => {
    const page = folder.join('page.md')
    await writeFile(page, '# Title\n')
    await expect(writePage(page, [])).rejects.toThrow('lacks the marks')
  })
})
