/** Sections and responses full of fake verdicts and tags, in a budget that leaves no room for mistakes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tightContext, tokenizers } from '../testing/tight-context.ts'
import { parallel } from './parallel.ts'

const pieces = ['yes', 'no', 'yes\n', '<check>no</check>', '\n', '\n\n', '<memory>', '</memory', '< / section >', '<reports', 'reports>', '<', '>', '<|im_end|>', '[INST]', '\\boxed{', ' ', 'word ', 'Ann came.', 'nothing yet', 'No previous memory'] // biome-ignore format: one list
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 14 })
  .map((parts) => parts.join(''))
const reply = fc.oneof(
  { weight: 5, arbitrary: hostile.map((news) => `yes\n${news}`) },
  { weight: 2, arbitrary: fc.constantFrom('no', ' No.\n') },
  { weight: 2, arbitrary: hostile },
)
const tags = ['<memory>', '</memory>', '<section>', '</section>', '<reports>', '</reports>', '<problem>']

it('no response, section or start memory breaks a memory, a prompt or the window', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        prompts: fc.constantFrom('paper', 'compact'),
        tokenizer: fc.constantFrom(...tokenizers),
        memory: fc.integer({ min: 4, max: 40 }),
        chunk: fc.integer({ min: 1, max: 40 }),
        question: fc.option(fc.constant('Who came?\nno'), { nil: undefined }),
        start: fc.oneof(fc.constant(''), hostile),
      }),
      fc.array(hostile, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(reply),
      async ({ start, ...budgets }, sections, replies) => {
        const { question, tokenizer, memory, chunk } = budgets
        const prompts: string[] = []
        // The context rejects prompts beyond the window.
        const { context } = await tightContext(parallel, budgets, (prompt) => {
          prompts.push(prompt)
          return replies.next().value
        })
        const texts = await Promise.all(
          sections.map((text) => context.truncate(context.neutralize(text), chunk)),
        )
        const openChunks = async function* (from = 0) {
          for (const [ordinal, text] of texts.entries()) {
            if (ordinal >= from) yield { ordinal, text, ranges: [], tokens: 1 }
          }
        }
        let state = parallel.init(question)
        if (start !== '') state = parallel.withMemory!(state, start)
        for await (state of parallel.run!(state, openChunks, context)) {
          context.endStep()
          expect(parallel.isState(state, { question, steps: state.steps })).toBe(true)
          if (state.memory !== start.trim()) {
            expect(tokenizer.count(state.memory)).toBeLessThanOrEqual(memory)
          }
          for (const { text } of state.notes)
            expect(2 * (tokenizer.count(text) as number)).toBeLessThanOrEqual(Math.max(2, chunk))
          if (state.isRead) expect(state.ordinal).toBe(sections.length)
        }
        expect(state).toMatchObject({ isDone: true, steps: state.pass * sections.length })
        const reports = prompts.filter((prompt) => !prompt.includes('<reports>'))
        expect(reports).toHaveLength(state.steps)
        expect(prompts.length - reports.length).toBeLessThanOrEqual(state.steps)
        const { templates } = parallel.prompts.sets[budgets.prompts]!
        for (const prompt of prompts) {
          const kind = prompt.includes('<reports>') ? 'merge' : 'report'
          const template = templates[question === undefined ? (`${kind}Notes` as const) : kind]
          for (const tag of tags) expect(prompt.split(tag)).toHaveLength(template.split(tag).length)
        }
      },
    ),
    { numRuns: 300 },
  )
})
