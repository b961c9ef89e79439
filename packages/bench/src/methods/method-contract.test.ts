/** Every method of the registry, held to the contract of methods. */
import { workflowNames } from '@memagent/core'
import { registerCases } from '@memagent/core/testing'
import { describe, it } from 'vitest'
import { type MethodContractOptions, methodContract } from '../testing/method-contract.ts'
import { embeddingsFetch } from '../testing/stub-embeddings.ts'
import { createMethod, methodNames } from './registry.ts'

type Difference = Omit<MethodContractOptions, 'create'> & { readonly spec?: string }

/** A line with as much of the note as there is room for. */
function asEdits(note: string, maxTokens: number): string {
  if (/^(?:|nothing yet|No previous memory)$/.test(note)) return note && 'none'
  return `+ ${note.replace(/\s+/g, ' ').slice(0, 3 * maxTokens)}`
}

/** How a method differs from one that finds anything anywhere. */
const differences: Readonly<Record<string, Difference>> = {
  whole: { documentTokens: 60 },
  truncate: { evidenceAt: 0.02 },
  refine: { needsInstructions: true },
  edits: { form: asEdits },
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
