/** Reads hostile texts step by step in a window that leaves no room for mistakes: for property tests of workflows. */
import { createScriptedModel } from '../../chat/scripted.ts'
import { createReadingContext } from '../../reading/context.ts'
import { checkBudget } from '../../reading/window.ts'
import type { Tokenizer } from '../../tokenizers/tokenizer.ts'
import { type PromptPlaces, promptsFor } from '../prompts/prompts.ts'
import type { Json, Workflow } from '../workflow.ts'

const perWord: Tokenizer = { name: 'words', isExact: true, count: (text) => text.match(/\S+/g)?.length ?? 0 }
const perSigns: Tokenizer = { name: 'signs', isExact: true, count: (text) => Math.ceil(text.length / 3) }

/** One counts words; for the other every character matters. */
export const tokenizers: readonly Tokenizer[] = [perWord, perSigns]

interface Tightness {
  readonly prompts: string
  readonly tokenizer: Tokenizer
  readonly memory: number
  readonly chunk: number
  readonly question: string | undefined
}

/** @returns also the codes of warnings and the origins of memories, as they come */
export async function tightContext<State extends Json, Places extends PromptPlaces>(
  workflow: Workflow<State, Places>,
  { prompts: name, tokenizer, memory, chunk, question }: Tightness,
  respond: (prompt: string) => string,
) {
  const prompts = promptsFor(workflow, name)
  const budget = { window: 1e6, question: 99, chunk, memory, output: memory }
  const loose = { name: 'loose', prompts: name, budget }
  const counted = {
    name: 'loose',
    countPromptTokens: (messages: readonly { content: string }[]) =>
      messages.reduce((sum, { content }) => sum + (tokenizer.count(content) as number), 0),
  }
  const { needed } = await checkBudget({ model: counted, profile: loose, workflow, tokenizer, question })
  // Not one token more than has to fit; the joints between parts may take one each.
  const window = needed + 8
  const profile = { ...loose, budget: { ...budget, window } }
  const events: string[] = []
  const context = createReadingContext<Places>({
    model: createScriptedModel(({ messages }) => respond(messages[0]!.content), {
      contextWindow: window,
      tokenizer,
      profile,
    }),
    profile,
    prompts,
    tokenizer,
    emit: (event) => {
      events.push(event.type === 'warning' ? event.code : `${event.type} ${event.origin}`)
    },
  })
  return { context, prompts, events }
}
