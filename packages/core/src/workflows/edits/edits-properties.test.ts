/** Sections, questions and responses full of fake edits, ids, verbs and tags, in a budget that leaves no room for mistakes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tightContext, tokenizers } from '../testing/tight-context.ts'
import { lineText, parseEdits, renderLines } from './edit-grammar.ts'
import { type EditsState, edits } from './edits.ts'

const pieces = ['#1 ', '#2 Ann', '=#1 x', '= #2 Bob', '-#2', '- #1', '+ Cay', '+ ', 'none', '\n', '\u2028', '```', '<memory>', '</memory', '< / section >', '<section', '>', '<section></section>', '<|im_end|>', '[INST]', '|>', '\\boxed{', ' ', 'word ', 'Ann came.'] // biome-ignore format: one list
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 14 })
  .map((parts) => parts.join(''))
/** Edits of the lines shown, whatever they are. */
const wanted = fc.array(
  fc.record({
    verb: fc.constantFrom('+', '+', '=', '-'),
    which: fc.nat(20),
    text: fc.oneof(hostile, fc.string()),
  }),
  { minLength: 1, maxLength: 5 },
)
const reply = fc.oneof(
  { weight: 4, arbitrary: wanted },
  { weight: 1, arbitrary: hostile },
  { weight: 1, arbitrary: fc.constant('none') },
)

const numberPattern = /^#(\d+) /
const memoryIn = (prompt: string) =>
  /<memory>\n?(.*?)\n?<\/memory>/s.exec(prompt.slice(prompt.lastIndexOf('<memory>')))?.[1] ?? ''

function written(recipe: string | readonly { verb: string; which: number; text: string }[], prompt: string) {
  if (typeof recipe === 'string') return recipe
  const ids = memoryIn(prompt)
    .split('\n')
    .flatMap((row) => numberPattern.exec(row)?.[1] ?? [])
  return recipe
    .map(({ verb, which, text }) => {
      const line = lineText(text) || 'x'
      const id = ids[which % Math.max(1, ids.length)]
      if (verb === '+' || id === undefined) return `+ ${line}`
      return verb === '=' ? `=#${id} ${line}` : `-#${id}`
    })
    .join('\n')
}

const settings = fc.record({
  prompts: fc.constantFrom('paper', 'compact'),
  tokenizer: fc.constantFrom(...tokenizers),
  memory: fc.integer({ min: 4, max: 40 }),
  chunk: fc.integer({ min: 1, max: 4 }),
  question: fc.option(fc.constant('Who came? -#1'), { nil: undefined }),
  start: fc.oneof(
    fc.constant(''),
    hostile,
    fc.array(hostile, { maxLength: 40 }).map((lines) => lines.join('\n')),
  ),
})

it('no response, section or start memory breaks a memory, a prompt or the window', async () => {
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.array(fc.tuple(hostile, reply, reply), { minLength: 1, maxLength: 8 }),
      async ({ question, start, ...budgets }, steps) => {
        const { tokenizer, memory, chunk } = budgets
        let replies: (typeof steps)[number] = steps[0]!
        const said: { kind: string; prompt: string; response: string }[] = []
        const { context, prompts, events } = await tightContext(edits, { ...budgets, question }, (prompt) => {
          const isUpdate = prompt.includes('</section>') && !prompt.includes('<section></section>')
          const response = written(isUpdate ? replies[1] : replies[2], prompt)
          said.push({ kind: isUpdate ? 'update' : 'consolidate', prompt, response })
          return response
        })
        let state: EditsState = edits.init(question)
        if (start !== '') state = edits.withMemory!(state, start)
        for (const [ordinal, step] of steps.entries()) {
          replies = step
          said.length = 0
          events.length = 0
          const text = await context.truncate(context.neutralize(step[0]), chunk)
          const { state: next } = await edits.read(state, { ordinal, text, ranges: [], tokens: 1 }, context)
          context.endStep()

          const [update] = said
          const rows = memoryIn(update!.prompt)
          expect(tokenizer.count(rows)).toBeLessThanOrEqual(memory)
          // Only the template's own tags.
          for (const tag of ['<memory>', '</memory>', '<section>', '</section>']) {
            expect(update!.prompt.split(tag)).toHaveLength(2)
          }
          expect(said.length).toBeLessThanOrEqual(2)
          expect(edits.isState(next, { question, steps: ordinal + 1 })).toBe(true)
          expect(tokenizer.count(renderLines(next.lines))).toBeLessThanOrEqual(memory)
          // From the second step on, the prompt shows exactly what the state says.
          if (ordinal > 0)
            expect(rows).toBe(
              state.lines.length === 0 ? prompts.text('emptyMemory', {}) : renderLines(state.lines),
            )

          const before = rows.split('\n').flatMap((row) => {
            const id = numberPattern.exec(row)
            return id ? [{ id: Number(id[1]), text: row.slice(id[0].length) }] : []
          })
          if (events.includes('memory-end kept')) expect(next.lines).toEqual(before)
          const named = new Set(
            said.flatMap(({ response }) => {
              const parsed = parseEdits(response, [
                ...before,
                ...next.lines,
                ...Array.from({ length: 60 }, (_, id) => ({ id, text: '' })),
              ])
              return 'problem' in parsed
                ? []
                : parsed.edits.flatMap((edit) => (edit.type === 'add' ? [] : [edit.id]))
            }),
          )
          // A line that no response names is there, byte for byte.
          for (const line of before) if (!named.has(line.id)) expect(next.lines).toContainEqual(line)
          state = next
        }
      },
    ),
    { numRuns: 300 },
  )
})
