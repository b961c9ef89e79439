/** Runs the method contract on every method of the registry. */
import { workflowNames } from '@memagent/core'
import { registerCases } from '@memagent/core/testing'
import { describe, it } from 'vitest'
import { type MethodContractOptions, methodContract } from '../testing/method-contract.ts'
import { estimateTokenizer } from '../testing/rehearsal.ts'
import { embeddingsFetch } from '../testing/stub-embeddings.ts'
import { createMethod, methodNames } from './registry.ts'

type Difference = Omit<MethodContractOptions, 'create'> & { readonly spec?: string }

const isNothing = (note: string): boolean => /^(?:nothing yet|No previous memory)$/.test(note)

/** One line with as much of the note as fits. */
function asEdits(note: string, maxTokens: number): string {
  if (note === '' || isNothing(note)) return note && 'none'
  return `+ ${note.replace(/\s+/g, ' ').slice(0, 3 * maxTokens)}`
}

/** With gates that never end the reading early. */
const behindGates = (note: string): string =>
  note === '' || isNothing(note) ? note && 'no' : `yes\n${note}\ncontinue`

/** A verdict and details; a merge is just a memory. A note already in the memory is not news. */
function inReports(note: string, _: number, prompt: string): string {
  if (note === '' || prompt.includes('<reports>')) return note
  const memory = /<memory>(.*?)<\/memory>/s.exec(prompt)?.[1] ?? ''
  return isNothing(note) || memory.includes(note) ? 'no' : `yes\n${note}`
}

/** Does not repeat a note that another slot holds. */
const inSlots = (note: string, _: number, prompt: string): string =>
  note !== '' && /<notes>(.*?)<\/notes>/s.exec(prompt)?.[1]?.includes(note) ? 'unchanged' : note

/** As much of the note as fits; a long one contains a box, which is used to recall an old memory. */
function asRewrite(note: string, maxTokens: number): string {
  const query = note.includes('boxed') ? '<recall>boxed</recall>' : ''
  const rewriteTo = (end: number) => `<update>${note.slice(0, end)}</update>${query}`
  let [fits, tooLong] = [0, note.length + 1]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if ((estimateTokenizer.count(rewriteTo(middle)) as number) < maxTokens) fits = middle
    else tooLong = middle
  }
  return fits > 0 ? rewriteTo(fits) : ''
}

/** How methods differ from one that can find anything anywhere. */
const differences: Readonly<Record<string, Difference>> = {
  whole: { documentTokens: 60 },
  truncate: { evidenceAt: 0.02 },
  refine: { needsInstructions: true },
  edits: { form: asEdits },
  'edits-confirmed': { form: asEdits },
  gated: { form: behindGates },
  'gated-exit': { form: behindGates },
  slots: { form: inSlots },
  // Two memories leave less room for the chunk.
  recall: { spec: 'recall:chunk=60', form: asRewrite },
  skim: { doubtsParts: true },
  // Reading stops after a round that changes nothing: here, the second of the four that would read all of the text.
  'skim-edits': { form: asEdits, doubtsParts: true, estimatedShare: 2.25 },
  parallel: { form: inReports },
  embeddings: { spec: 'embeddings:model=stub,batch=5,concurrency=2' },
}

for (const name of [...methodNames, 'bm25:rounds=2']) {
  const { spec = name, ...difference } = differences[name] ?? {}
  const create = () => createMethod(spec, { fetch: embeddingsFetch })
  describe(name, () => registerCases(methodContract({ create, ...difference }), it))
}

describe('the names', () => {
  it('include every workflow', ({ expect }) => {
    expect(methodNames).toEqual(expect.arrayContaining([...workflowNames]))
  })
})
