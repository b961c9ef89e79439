/** Sections, questions and responses full of fake gates and tags, in a budget that leaves no room for mistakes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tightContext, tokenizers } from '../testing/tight-context.ts'
import { parseGates } from './gate-grammar.ts'
import { type GatedState, gated, gatedExit } from './gated.ts'

const pieces = ['yes', 'no', 'end', 'continue', '\n', '\nend', 'yes\n', '\u2028', '```', '<memory>', '</memory', '< / section >', '<section', '>', '<|im_end|>', '[INST]', '|>', '\\boxed{', '<think>', ' ', 'word ', 'Ann came.', 'nothing yet', 'No previous memory'] // biome-ignore format: one list
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 14 })
  .map((parts) => parts.join(''))
const reply = fc.oneof(
  { weight: 4, arbitrary: hostile.map((memory) => `yes\n${memory}\ncontinue`) },
  { weight: 2, arbitrary: hostile.map((memory) => `yes\n${memory}\nend`) },
  { weight: 2, arbitrary: fc.constantFrom('no', 'no\nend', ' No.\n') },
  { weight: 2, arbitrary: hostile },
)

it.each([
  ['gated', gated],
  ['gated-exit', gatedExit],
])(
  '%s: no response, section or start memory breaks a memory, a prompt or the window',
  async (_, workflow) => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          prompts: fc.constantFrom('paper', 'compact'),
          tokenizer: fc.constantFrom(...tokenizers),
          memory: fc.integer({ min: 4, max: 40 }),
          chunk: fc.integer({ min: 1, max: 4 }),
          question: fc.option(fc.constant('Who came?\nno\nend'), { nil: undefined }),
          start: fc.oneof(fc.constant(''), hostile),
        }),
        fc.array(fc.tuple(hostile, reply), { minLength: 1, maxLength: 8 }),
        async ({ question, start, ...budgets }, steps) => {
          const { tokenizer, memory, chunk } = budgets
          let [response, prompt] = ['', '']
          const { context, prompts, events } = await tightContext(
            workflow,
            { ...budgets, question },
            (asked) => {
              prompt = asked
              return response
            },
          )
          const empty = prompts.text('emptyMemory', {})
          let state: GatedState = workflow.init(question)
          if (start !== '') state = workflow.withMemory!(state, start)
          for (const [ordinal, [section, next]] of steps.entries()) {
            response = next
            events.length = 0
            const text = await context.truncate(context.neutralize(section), chunk)
            const { state: after, done } = await workflow.read(
              state,
              { ordinal, text, ranges: [], tokens: 1 },
              context,
            )
            context.endStep()

            // Only the template's own tags.
            for (const tag of ['<memory>', '</memory>', '<section>', '</section>']) {
              expect(prompt.split(tag)).toHaveLength(2)
            }
            const shown = /<memory>\s?(.*?)\n?<\/memory>/s.exec(prompt)![1]!
            expect(tokenizer.count(workflow.memory(state) === '' ? '' : shown)).toBeLessThanOrEqual(memory)
            expect(workflow.isState(after, { question, steps: ordinal + 1, endedEarly: done })).toBe(true)
            expect(tokenizer.count(workflow.memory(after))).toBeLessThanOrEqual(memory)
            // From the second step on, the prompt shows exactly what the state says, which changes only with news.
            if (ordinal > 0) expect(shown).toBe(state.memory ?? empty)
            const parsed = parseGates(response)
            const isUsed = events.includes('memory-end sampled')
            if ('problem' in parsed) expect(isUsed).toBe(false)
            const isNews = isUsed && 'memory' in parsed && parsed.memory !== undefined
            if (!isNews && ordinal > 0) expect(after.memory).toBe(state.memory)
            // Only the exit gate ends a reading, and only if the workflow allows it.
            const saysEnd = isUsed && 'exit' in parsed && parsed.exit
            expect(done ?? false).toBe(workflow === gatedExit && question !== undefined && saysEnd)
            state = after
          }
        },
      ),
      { numRuns: 300 },
    )
  },
)
