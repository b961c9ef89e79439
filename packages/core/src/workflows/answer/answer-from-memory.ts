/** The final call of a workflow that has a memory. */
import { memoryInPrompt } from '../memory-shown.ts'
import { questionForPrompt } from '../question-shown.ts'
import type { Answer, ReadingContext } from '../workflow.ts'
import { askForAnswer } from './final-answer.ts'

interface FinalPrompt {
  readonly question: string
  /** Chunks read. */
  readonly steps: number
  /** As much of the memory as fits in `most` tokens. @default its first sentences */
  readonly within?: ((most: number) => Promise<string>) | undefined
  /** Texts for the other places of the template. */
  readonly parts?: Readonly<Record<string, string>> | undefined
}

/** Asks for the answer, which is unsure if the prompt has no room for all of the memory. @throws as `askForAnswer` */
export async function answerFromMemory(
  memory: string,
  { question, steps: step, within, parts }: FinalPrompt,
  context: ReadingContext,
): Promise<Answer> {
  const asked = await questionForPrompt(question, context)
  const messagesWith = (shown: string) =>
    context.prompts.messages('answer', { ...parts, question: asked, memory: shown })
  const prompt = { messagesWith, maxTokens: context.budget.output, step, within }
  return askForAnswer(messagesWith(await memoryInPrompt(memory, prompt, context)), step, context)
}
