/** Links and files that documents name exist, and drawings are of the kinds that are drawn. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const inFolders = ['docs', 'recipes', 'examples', 'packages', 'models'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
)
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...inFolders].filter(
  (path) => path.endsWith('.md') && !/node_modules|__fixtures__|dist\/|real-documents\/texts/.test(path),
)

/** Anchors as GitHub derives them from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(documents)('%s', (path) => {
  it('links to what exists', () => {
    const prose = read(path).replace(/```[\s\S]*?```/g, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file, anchor] = link.split('#')
        const target = file ? join(root, dirname(path), file) : join(root, path)
        if (!existsSync(target)) return true
        return anchor !== undefined && !anchorsOf(read(relative(root, target))).includes(anchor)
      })
    expect(broken).toEqual([])
  })

  it('names files that exist', () => {
    const named = [
      ...read(path).matchAll(/`((?:packages|test|models|recipes|docs|examples|scripts)\/[\w./-]+)`/g),
    ]
    const files = named.map(([, file]) => file!).filter((file) => !file.includes('NAME'))
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

it.each([
  ['the reading loop', 'function* readDocument'],
  ['what the model is asked, chunk by chunk', 'async read('],
  ['the prompts', 'update: `'],
  ['the training step', 'function trainStep'],
  ['the loss', 'function tokenLoss'],
  ['how to add a workflow, a task, a model...', '| a workflow |'],
])('README leads to %s', (what, code) => {
  const row = read('README.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${what} |`))
  const [, path] = /\]\(([^)#]+)/.exec(row ?? '') ?? []
  expect(read(path!)).toContain(code)
})

describe('docs/architecture.md', () => {
  const page = read('docs/architecture.md')

  it('draws files that exist', () => {
    const files = [...page.matchAll(/\b(core|engine|tasks|train|bench|cli)\/([\w/-]+\.ts)\b/g)]
      .filter((match) => !page.slice(0, match.index).endsWith('packages/'))
      .map(([, room, file]) => `packages/${room}/src/${file}`)
    expect(files.length).toBeGreaterThan(25)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('draws the rooms, a chunk, a question and a batch, with every box and arrow closed', () => {
    const drawings = [...page.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, drawing]) => drawing!)
    expect(drawings).toHaveLength(4)
    for (const drawing of drawings) {
      const [kind, ...lines] = drawing.trim().split('\n').slice(1)
      expect(kind).toBe('flowchart TD')
      const box = String.raw`\w+(\["[^"]+"\])?`
      const arrow = String.raw`(<?-->|-\.->)(\|"?[^|"]+"?\|)?`
      const line = new RegExp(String.raw`^\s+${box}(\s*${arrow}\s*${box})*$`)
      expect(lines.filter((text) => !line.test(text))).toEqual([])
      // A name without a box would be drawn as an empty one.
      const drawn = new Set(lines.flatMap((text) => [...text.matchAll(/(\w+)\["/g)].map(([, name]) => name)))
      const named = lines.flatMap((text) => text.replace(/\["[^"]*"\]|\|[^|]*\|/g, '').match(/\w+/g) ?? [])
      expect(named.filter((name) => !drawn.has(name))).toEqual([])
    }
  })
})
