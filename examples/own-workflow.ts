/**
 * A workflow of one's own: it notes what a chunk says, and never rewrites a note; the oldest goes when there is no room. Its
 * path can be given wherever a workflow is named:
 *
 *   npm run example examples/own-workflow.ts               tries what every workflow promises
 *   npm run memagent -- ask QUESTION FILE --workflow ./examples/own-workflow.ts [--prompts examples/prompts.yaml]
 *   npm run memagent -- bench run --methods edits,./examples/own-workflow.ts --tasks multi-hop --lengths 2k
 *   workflow: ./examples/own-workflow.ts                   in a configuration for `train rl`
 */
import { acceptMemory, askForAnswer, definePrompts, type Workflow } from '@memagent/core'

/** Plain JSON and small: after every step it is saved. */
type State = { readonly question: string | null; readonly notes: readonly string[]; readonly steps: number }

const mostNotes = 4

// Templates with placeholders. The first set is used if a model's profile names none; the bundled model's names `compact`.
const prompts = definePrompts({
  conversations: { note: ['question', 'section'], answer: ['question', 'memory'] },
  texts: { nothing: [], anyQuestion: [] },
  sets: {
    paper: {
      templates: {
        note: 'Note in one sentence what the section says that helps to answer the problem, or write: nothing.\n\n<problem>\n{question}\n</problem>\n\n<section>\n{section}\n</section>\n\nNote:\n',
        answer:
          'Answer the problem from these notes, and put the answer in \\boxed{}. If they do not answer it, put \\boxed{not in the text}.\n\n<problem>\n{question}\n</problem>\n\n<notes>\n{memory}\n</notes>\n\nAnswer:\n',
        nothing: 'nothing',
        anyQuestion: 'What is most worth knowing?',
      },
    },
    compact: {
      templates: {
        note: '<problem> {question}</problem><section>{section}</section><memory> nothing yet</memory>',
        answer: '<problem> {question}</problem><memory> {memory}</memory>',
        nothing: 'nothing yet',
        anyQuestion: '',
      },
      // Besides the tags, what a text must not contain.
      markers: ['\\boxed{'],
    },
  },
})

const appendOnly: Workflow<State, typeof prompts> = {
  name: 'append-only',
  prompts,
  init: (question) => ({ question: question ?? null, notes: [], steps: 0 }),
  memory: ({ notes }) => notes.join('\n'),

  async read(state, chunk, context) {
    const { question, notes, steps } = state
    // Notes and the line ends between them stay within the memory's budget.
    const maxTokens = Math.max(1, Math.floor(context.budget.memory / mostNotes) - 1)
    const result = await context.chat({
      messages: context.prompts.messages('note', {
        question: context.neutralize(question ?? context.prompts.text('anyQuestion', {})),
        section: context.neutralize(chunk.text),
      }),
      maxTokens,
      tag: { step: steps, kind: 'note' },
    })
    // Empty and refused responses cause a warning, and an empty note here.
    const { text, origin } = acceptMemory(result, { previous: '', maxTokens, step: steps }, context)
    const note = (await context.truncate(text.trim().replaceAll('\n', ' '), maxTokens)).trim()
    const isNew = note !== '' && note !== context.prompts.text('nothing', {}) && !notes.includes(note)
    const next = { ...state, notes: isNew ? [...notes, note].slice(-mostNotes) : notes, steps: steps + 1 }
    const [memory, previous] = [appendOnly.memory(next), appendOnly.memory(state)]
    const tokens = await context.countTokens(memory)
    context.emit({ type: 'memory-end', step: steps, memory, previous, changed: isNew, origin, tokens })
    return { state: next }
  },

  async answer(state, question, context) {
    if (state.notes.length === 0) return { text: '', outcome: 'not-found' }
    const messages = context.prompts.messages('answer', {
      question: context.neutralize(question),
      memory: context.neutralize(appendOnly.memory(state)),
    })
    return askForAnswer(messages, state.steps, context)
  },

  // Checkpoints come from files: accept only what a reading can go on from.
  isState: (value, { question, steps }): value is State => {
    const { notes, ...rest } = Object(value) as State
    const isList = Array.isArray(notes) && notes.every((note) => typeof note === 'string')
    return isList && rest.question === (question ?? null) && rest.steps === steps
  },
}

export default appendOnly

// Run directly, and not loaded by a command.
if (process.argv[1] === import.meta.filename) {
  const { workflowContract } = await import('@memagent/core/testing')
  for (const { name, run } of workflowContract({ create: () => appendOnly })) {
    await run()
    console.log(`kept: ${name}`)
  }
}
