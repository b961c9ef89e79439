/** The whole document in one prompt: what a model with a large enough window would get. */
import { chunkDocument, OverlongPromptError, rangeOf, withBudget } from '@memagent/core'
import { z } from 'zod'
import type { MethodRequest } from '../method.ts'
import { estimateExcerpts, mostTokensOfText } from './estimates.ts'
import { answerFromExcerpts, type ExcerptSelection } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { type MethodRun, runMethod } from './method-run.ts'
import { windowOptions } from './options.ts'

const options = z.strictObject(windowOptions)

export const whole: MethodFactory<typeof options> = {
  description: 'the whole document in one prompt; fails if it does not fit the window',
  options,
  create: (name, overrides) => ({
    name,
    description: whole.description,
    answer: (request) =>
      runMethod(request, overrides, (run) => answerFromExcerpts(run, (room) => allOf(request, run, room))),
    /** Zero for a document that does not fit: the call is never made. */
    estimate(lengthTokens, profile) {
      const changed = withBudget(profile, overrides)
      const fits = lengthTokens <= mostTokensOfText(changed)
      return estimateExcerpts(fits ? lengthTokens : 0, changed)
    },
  }),
}

/** Reads no further than the window. @throws OverlongPromptError when the document is longer */
async function allOf({ document }: MethodRequest, run: MethodRun, room: number): Promise<ExcerptSelection> {
  const excerpts = []
  const chunks = chunkDocument(document, {
    maxTokens: Math.max(1, room),
    tokenizer: run.textTokenizer,
    signal: run.signal,
  })
  for await (const chunk of chunks) {
    if (chunk.ordinal > 0 || chunk.tokens > room) {
      throw new OverlongPromptError({
        code: 'chat/overlong-prompt',
        message: `${document.name} does not fit: the window of ${run.profile.budget.window} tokens has room for ${room} of text.`,
        hint: 'Raise the window if the model has a larger one, or use a method that reads a part, or part by part.',
        details: { document: document.name, room, window: run.profile.budget.window },
      })
    }
    excerpts.push({ text: chunk.text, ...rangeOf(chunk) })
  }
  return { excerpts, isWhole: true }
}
