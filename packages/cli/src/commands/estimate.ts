/** `memagent estimate [FILE...]`: tokens, calls, time and cost of a reading. */

import {
  checkBudget,
  checkQuestions,
  costOf,
  createEstimateTokenizer,
  estimateDocument,
  type ModelProfile,
  promptsFor,
  type Question,
  type TextDocument,
  type Workflow,
} from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import { Command } from 'commander'
import { type OpenedModel, openingStage, openModel } from '../backends.ts'
import { addConfiguration } from '../configuration/apply.ts'
import { type QuestionsFlags, questionsFrom } from '../questions/questions-option.ts'
import { createServerWaits } from '../server-waits.ts'
import { leavingOnSignals } from '../signals.ts'
import { printJson, type Terminal } from '../terminal.ts'
import { priceBound } from '../view/price-bound.ts'
import { clock, count, openView, type ProgressView } from '../view/progress.ts'
import { chunksAhead } from './ahead-option.ts'
import { addPriceOptions, type PriceFlags, pricesOf } from './limit-options.ts'
import { addTextOptions, openText, printRemarks, type TextFlags } from './open-text.ts'
import {
  addReadingOptions,
  type ChosenWorkflow,
  chooseWorkflow,
  modelRequest,
  positive,
  type ReadingFlags,
  readingWith,
} from './reading-options.ts'

interface EstimateFlags extends ReadingFlags, PriceFlags, TextFlags, Pick<QuestionsFlags, 'questions'> {
  readonly secondsPerCall?: number
  readonly json?: boolean
}

export function estimateCommand(terminal: Terminal): Command {
  return addTextOptions(
    addConfiguration(addPriceOptions(addReadingOptions(new Command('estimate'))), terminal),
    'texts: files, folders, archives; "-" or none: standard input',
  )
    .option('--questions <file>', 'estimate for every question in this file')
    .description('predict tokens, chunks, calls, time and cost of reading these texts')
    .option('--seconds-per-call <s>', 'duration of one call', positive('--seconds-per-call'))
    .option('--json', 'print one JSON document')
    .action((files: string[], flags: EstimateFlags) => {
      const view = openView({ color: false }, terminal)
      return leavingOnSignals(() => estimate(files, flags, terminal, view), terminal, flags, view)
    })
}

async function estimate(
  files: readonly string[],
  flags: EstimateFlags,
  terminal: Terminal,
  view: ProgressView | undefined,
): Promise<void> {
  const remarks: SourceRemark[] = []
  try {
    view?.waitFor(openingStage(flags.model))
    const questions = await questionsFrom(flags, files, terminal)
    const chosen = await chooseWorkflow(flags)
    const document = await openText(files, flags, terminal, 'estimate', remarks)
    const opened = await openModel(modelRequest(flags), terminal.environment, createServerWaits(view))
    // Printed once the model is closed: whoever interrupts that gets one document, not two.
    const { record, lines } = await predict(document, opened, questions?.read, flags, chosen, view).finally(
      () => opened.model.close?.(),
    )
    if (flags.json) printJson(terminal.stdout, { ...record, remarks, model: opened.model.name })
    else terminal.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    view?.end()
    printRemarks(remarks, terminal.stderr)
  }
}

async function predict(
  document: TextDocument,
  { model, isBundled }: OpenedModel,
  questions: readonly Question[] | undefined,
  flags: EstimateFlags,
  chosen: ChosenWorkflow,
  view: ProgressView | undefined,
) {
  const { profile, workflow } = await readingWith(model, flags, chosen)
  const tokenizer = model.tokenizer ?? createEstimateTokenizer()
  // Checked without a question: a budget that fails here fits no question.
  await checkBudget({ model, profile, workflow, tokenizer })
  if (questions) await checkQuestions(questions, { model, profile, workflow, tokenizer })
  const times = questions?.length ?? 1
  view?.waitFor(`counting the tokens of ${document.name}`)
  const ahead = chunksAhead(flags, workflow, times)
  const { tokens, isExact, chunks, calls, most } = await estimateDocument({
    ...{ document, model, profile, workflow, questions: times, ahead },
  })
  view?.waitFor('timing a call')
  const secondsPerCall =
    flags.secondsPerCall ?? (isBundled ? await measureCall(model, profile, workflow) : undefined)
  view?.end()
  const prices = pricesOf(flags)
  // One pass and one answer; `most` includes the further passes and calls that news may cause.
  const record = {
    tokens,
    isExact,
    chunks,
    ...(questions && { questions: times }),
    calls,
    mostCalls: most.calls,
    mostPromptTokens: most.promptTokens,
    mostCompletionTokens: most.completionTokens,
    seconds: secondsPerCall === undefined ? undefined : secondsPerCall * calls,
    mostSeconds: secondsPerCall === undefined ? undefined : secondsPerCall * most.calls,
    mostPrice: prices && costOf(most, prices),
  }
  const { seconds, mostSeconds, mostPrice } = record
  const about = isExact ? '' : 'about '
  const lines = [
    `text:   ${about}${count(tokens)} tokens in ${count(chunks)} ${chunks === 1 ? 'chunk' : 'chunks'} of at most ${count(profile.budget.chunk)}`,
    questions && `asked:  ${count(times)} ${times === 1 ? 'question' : 'questions'} side by side`,
    `calls:  ${count(calls)}${workflow.passes === undefined ? '' : ' for one pass'}${most.calls > calls ? `, at most ${count(most.calls)}` : ''} (${model.name})`,
    `tokens: at most ${about}${count(most.promptTokens)} in prompts, ${count(most.completionTokens)} generated`,
    seconds === undefined
      ? 'time:   unknown; give --seconds-per-call'
      : `time:   about ${clock(seconds)}${most.calls > calls ? `, ${clock(mostSeconds!)} if all calls are needed, one at a time` : ''}`,
    mostPrice !== undefined &&
      `price:  at most ${about}${priceBound(mostPrice)}, in the currency of the prices`,
  ]
  return { record, lines: lines.filter((line) => typeof line === 'string') }
}

/** Seconds per call with a full chunk: the median of three after one warm-up call. */
async function measureCall(
  model: OpenedModel['model'],
  profile: ModelProfile,
  workflow: Workflow,
): Promise<number> {
  const section = 'The quick brown fox jumps over the lazy dog. '.repeat(
    Math.floor(profile.budget.chunk / 12),
  )
  const { conversations } = workflow.prompts
  const name = Object.keys(conversations).find((one) => conversations[one]!.includes('section'))
  const filled: Readonly<Record<string, string>> = { question: 'Who jumps?', section }
  const messages =
    name === undefined
      ? [{ role: 'user' as const, content: section }]
      : promptsFor(workflow, profile.prompts).messages(
          name,
          Object.fromEntries(conversations[name]!.map((place) => [place, filled[place] ?? ''])),
        )
  const times: number[] = []
  for (let i = 0; i < 4; i++) {
    const startMs = performance.now()
    await model.generate(messages, { maxTokens: 8, temperature: 0 })
    if (i > 0) times.push((performance.now() - startMs) / 1000)
  }
  return times.sort((a, b) => a - b)[1]!
}
