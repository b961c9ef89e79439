/** One spelling for the whole project: British words (behaviour, colour, licence) with -ize, as CONTRIBUTING says. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const stems = 'recogni|normali|initiali|seriali|neutrali|summari|optimi|organi|orthogonali|quanti|tokeni'
const otherSpellings = new RegExp(
  `\\b(?:(?:${stems})s(?:e|ed|es|er|ers|ing|ation|able)|behaviors|favorites?|honored|labeled|modeled)\\b`,
  'gi',
)

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => /\.(?:ts|md)$/.test(path) && !/node_modules|__fixtures__|\bdist\b|spelling\.test/.test(path),
    )
    .map((path) => join(folder, path))
}

it('code and documentation use one spelling', () => {
  const files = [
    ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'models/nano/README.md'],
    ...['packages', 'docs', 'examples', 'test'].flatMap(sourcesIn),
  ]
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(otherSpellings)].map(([word]) => `${file}: ${word}`),
  )
  expect(found).toEqual([])
})
