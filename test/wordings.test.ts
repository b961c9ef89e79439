/** Wordings for lessons alone (`+`) must not give away those held out of training (`~`). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const folder = join(import.meta.dirname, '../packages/tasks/data')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yaml'),
)

/** Every list of lines in a table. */
function listsIn(value: unknown): string[][] {
  if (typeof value === 'string') return value.includes('\n') ? [value.split('\n')] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : []
}

const wordsOf = (line: string) =>
  new Set(
    line
      .replace(/^[~+]\s*/, '')
      .toLowerCase()
      .match(/\{\w+\}|[\p{L}\d'-]+/gu),
  )

function likeness(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const common = [...a].filter((word) => b.has(word)).length
  return common / (a.size + b.size - common)
}

const normal = (line: string) =>
  line
    .replace(/^[~+]\s*/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d{}'-]+/gu, ' ')
    .trim()

/** The recorded questions contain these, as the model card says. */
const knownTwice = [
  '~ {subject} will belong to {value}',
  '~ {subject} will go to {value}',
  '~ {Subject} was started by {value} in {year}.',
  '~ Without {value}, {subject} would taste of nothing.',
]

it('a wording that is held out is none of training, in whatever table', () => {
  const all = files
    .flatMap((file) => listsIn(parse(readFileSync(join(folder, file), 'utf8'))).flat())
    .filter((line) => line.includes('{'))
  const taught = new Set(all.filter((line) => !line.startsWith('~')).map(normal))
  const twice = all.filter((line) => line.startsWith('~') && taught.has(normal(line)))
  expect(twice.toSorted()).toEqual(knownTwice.toSorted())
})

it.each(files)('%s: a wording for lessons is new, and far from those held out', (file) => {
  for (const lines of listsIn(parse(readFileSync(join(folder, file), 'utf8')))) {
    const heldOut = lines.filter((line) => line.startsWith('~'))
    const own = lines.filter((line) => line.startsWith('+'))
    for (const line of own) {
      expect(
        heldOut.filter((other) => likeness(line, other) > 0.7),
        line,
      ).toEqual([])
      expect(
        lines.filter((other) => likeness(line, other) === 1),
        line,
      ).toEqual([line])
    }
  }
})
