/**
 * Writes the evaluation's tables into the model card, between its two marks, from the recorded lines alone:
 *   node --conditions=@memagent/source recipes/nano/report.ts
 */
import { readFile, writeFile } from 'node:fs/promises'
import { groupBy, type Pair, pairedDifference, proportion, showProportion as show } from '@memagent/bench'
import { type EvaluationRecord, readRecords } from '../evaluation/documents.ts'
import { percent, signed } from '../lab/report/cells.ts'

const recordsFile = 'recipes/nano/results/evaluation.jsonl'
/** The same documents, read with the weights before rewards. */
const supervisedFile = 'recipes/nano/results/evaluation-supervised.jsonl'
const cardFile = 'models/nano/README.md'
const [startMark, endMark] = ['<!-- evaluation -->', '<!-- /evaluation -->']

const records = await readRecords(recordsFile)

const isPresent = (record: EvaluationRecord) => record.references.length > 0
const isHeldOut = (record: EvaluationRecord) =>
  record.labels.heldOutTemplate === true || record.labels.heldOutKind === true
const share = (set: readonly EvaluationRecord[], metric: (record: EvaluationRecord) => number) =>
  show(
    proportion(
      set.reduce((sum, record) => sum + metric(record), 0),
      set.length,
    ),
  )
const strict = (record: EvaluationRecord) => record.strict
const lenient = (record: EvaluationRecord) => record.lenient
const sortedGroups = <T>(items: readonly T[], key: (item: T) => string) =>
  [...groupBy(items, key)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
const tokens = (length: string) => Number(length).toLocaleString('en-US')

const recordsOf = (...jobs: readonly string[]) =>
  records.filter(({ key }) => jobs.includes(key.split('/')[0]!))
const facts = recordsOf('facts', 'held-out')
const lengthRows = (set: readonly EvaluationRecord[]) =>
  sortedGroups(set, ({ lengthTokens }) => String(lengthTokens)).map(([length, set]) => {
    const present = set.filter(isPresent)
    const [held, lost] = [set.reduce((n, r) => n + r.heldRewrites, 0), set.reduce((n, r) => n + r.losses, 0)]
    const rewrites = set.reduce((n, r) => n + r.steps, 0)
    return [
      tokens(length),
      share(
        present.filter((r) => !isHeldOut(r)),
        strict,
      ),
      share(present.filter(isHeldOut), strict),
      share(
        set.filter((r) => !isPresent(r)),
        strict,
      ),
      share(present, (r) => (r.capturedAt === undefined ? 0 : 1)),
      held === 0 ? '-' : `${lost} of ${held.toLocaleString('en-US')}`,
      `${set.reduce((n, r) => n + r.keptMemories, 0)} of ${rewrites.toLocaleString('en-US')}`,
    ]
  })
const lengthHead = [
  'tokens',
  'answer there, trained template',
  'answer there, held-out template',
  'answer not there: says so',
  'right value was in the memory at some step',
  'rewrites that lost the right value',
  'rewrites that fell back on the previous memory',
]
const present = facts.filter(isPresent)
const depth = (record: EvaluationRecord) => {
  const tenth = Math.min(4, Math.floor(Number(record.labels.depth) * 5))
  return `${tenth * 20}-${tenth * 20 + 20} %`
}

const sections = [
  '### Facts in prose, by length',
  'Strict accuracy (the normalised answer equals the reference) with Wilson 95 % intervals. A failed reading counts as wrong. Every document holds decoys: eight facts of the same kind per 200,000 tokens, half of them sharing a part of the name asked for.',
  table(lengthHead, lengthRows(facts)),
  '### All lengths together',
  table(
    ['', 'strict', 'lenient'],
    [
      [
        'trained template',
        share(
          present.filter((r) => !isHeldOut(r)),
          strict,
        ),
        share(
          present.filter((r) => !isHeldOut(r)),
          lenient,
        ),
      ],
      [
        'held-out template',
        share(present.filter(isHeldOut), strict),
        share(present.filter(isHeldOut), lenient),
      ],
      [
        'of these, of a held-out kind of fact',
        share(
          present.filter((r) => r.labels.heldOutKind === true),
          strict,
        ),
        share(
          present.filter((r) => r.labels.heldOutKind === true),
          lenient,
        ),
      ],
      [
        'answer not there',
        share(
          facts.filter((r) => !isPresent(r)),
          strict,
        ),
        '',
      ],
    ],
  ),
  '### By depth',
  table(
    ['depth of the fact', 'strict'],
    sortedGroups(present, depth).map(([name, set]) => [name, share(set, strict)]),
  ),
  '### By kind',
  table(
    ['kind', 'strict'],
    sortedGroups(present, ({ labels }) => String(labels.kind)).map(([name, set]) => [
      name,
      share(set, strict),
    ]),
  ),
]
for (const [job, title] of [
  ['subject-decoys', 'With another fact about the very subject'],
  ['without-decoys', 'Without decoys'],
] as const) {
  const set = recordsOf(job)
  if (set.length > 0) sections.push(`### ${title}`, table(lengthHead, lengthRows(set)))
}
const needles = recordsOf('needles')
if (needles.length > 0) {
  sections.push(
    '### Needles of the RULER kinds at 200,000 tokens',
    table(
      ['needle', 'strict', 'lenient'],
      sortedGroups(needles, ({ labels }) => String(labels.variant ?? labels.kind)).map(([name, set]) => [
        name,
        share(set, strict),
        share(set, lenient),
      ]),
    ),
  )
}

const supervised = new Map((await readRecords(supervisedFile)).map((record) => [record.key, record]))
const comparisonRow = (name: string, set: readonly EvaluationRecord[]) => {
  const pairs = set.flatMap((record): Pair[] => {
    const before = supervised.get(record.key)
    return before ? [[before.strict, record.strict]] : []
  })
  const { value, low, high } = pairedDifference(pairs.map((pair) => [pair]))
  const right = (side: 0 | 1) => percent(pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length)
  return [name, `${pairs.length}`, right(0), right(1), `${signed(value)} (${signed(low)} to ${signed(high)})`]
}
if (supervised.size > 0) {
  sections.push(
    '### Before and after rewards',
    'Strict accuracy on the same documents with the weights that supervised training ended with, and with these, %; 95 % paired intervals.',
    table(
      ['documents', 'n', 'before', 'after', 'difference'],
      [
        ...sortedGroups(facts, ({ lengthTokens }) => String(lengthTokens)).flatMap(([length, set]) => [
          comparisonRow(`${tokens(length)} tokens, answer there`, set.filter(isPresent)),
          comparisonRow(
            `${tokens(length)} tokens, answer not there`,
            set.filter((record) => !isPresent(record)),
          ),
        ]),
        comparisonRow('held-out templates, all lengths', present.filter(isHeldOut)),
        comparisonRow('with another fact about the very subject', recordsOf('subject-decoys')),
        comparisonRow('without decoys', recordsOf('without-decoys')),
        comparisonRow('needles', needles),
        comparisonRow('all', records),
      ],
    ),
  )
}

const card = await readFile(cardFile, 'utf8')
const [from, to] = [card.indexOf(startMark), card.indexOf(endMark)]
if (from < 0 || to < from) throw new Error(`${cardFile} lacks the marks ${startMark} and ${endMark}`)
await writeFile(
  cardFile,
  `${card.slice(0, from + startMark.length)}\n\n${sections.join('\n\n')}\n\n${card.slice(to)}`,
)
process.stdout.write(`${sections.join('\n\n')}\n`)
