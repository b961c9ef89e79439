/** `memagent demo`: plants facts in the installed prose, and asks for them. */
import { createImmediateCounter } from '@memagent/core'
import { installedProse } from '@memagent/tasks'
import { Command } from 'commander'
import { openingStage, openModel } from '../backends.ts'
import { exitCodes, report, UsageError } from '../failures.ts'
import { createServerWaits } from '../server-waits.ts'
import { leavingOnSignals } from '../signals.ts'
import { eventPrinter, printable, printJson, type Terminal } from '../terminal.ts'
import { clock, count, openView } from '../view/progress.ts'
import { chunksAhead } from './ahead-option.ts'
import { type Act, type ActOptions, oneFact, severalFacts } from './demo-acts.ts'
import { defaultListSeed, defaultSeed } from './demo-text.ts'
import {
  addOutputOptions,
  addReadingOptions,
  chooseWorkflow,
  integer,
  modelRequest,
  noteOnProfile,
  type ReadingFlags,
  readingWith,
  type ShownFlags,
  samplingOf,
  wholeNumber,
} from './reading-options.ts'
import { type ReadingRun, runReading } from './run-reading.ts'

interface DemoFlags extends ReadingFlags, ShownFlags {
  readonly tokens?: number
  readonly fact?: string
  readonly decoys: number
  readonly question?: string
  readonly expect?: string
}

export function demoCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = addReadingOptions(new Command('demo'))
    .description(
      'plant facts in real prose and ask for them: one in a million tokens, then several in 200,000; needs no data',
    )
    .option(
      '--tokens <n>',
      'length of the text (default: 1,000,000 tokens and 4,000,000 bytes); the second text has at most 200,000',
      integer('--tokens'),
    )
    .option(
      '--decoys <n>',
      'facts like the single one to plant per 200,000 tokens',
      wholeNumber('--decoys'),
      0,
    )
    .option('--fact <sentence>', 'plant this sentence alone; needs --question and --expect')
    .option('--question <text>', 'the question to ask')
    .option('--expect <text>', 'the expected answer')
  const json = 'print one JSON document, with the second reading as `several`'
  return addOutputOptions(command, json).action(async (flags: DemoFlags) => {
    setExitCode(await demo(flags, terminal))
  })
}

/** @throws UsageError */
function checkFact({ fact, question, expect }: DemoFlags): void {
  const given = [fact, question, expect].filter((part) => part !== undefined).length
  if (given === 0 || given === 3) return
  throw new UsageError({
    code: 'cli/fact',
    message: '--fact, --question and --expect must be used together.',
  })
}

/** Only the given fact, or a single fact and then several. */
async function actsOf(
  flags: DemoFlags,
  options: Omit<ActOptions, 'seed' | 'tokens'>,
): Promise<readonly Act[]> {
  const { fact: statement, question, expect: expected, seed, tokens, decoys } = flags
  const given =
    statement === undefined ? undefined : { statement, question: question!, expected: expected!, decoys: [] }
  const one = oneFact({ ...options, tokens, seed: seed ?? defaultSeed }, given, decoys)
  if (given) return [one]
  return [one, await severalFacts({ ...options, tokens, seed: seed ?? defaultListSeed })]
}

async function demo(flags: DemoFlags, terminal: Terminal): Promise<number> {
  const { environment } = terminal
  const view = openView(flags, terminal)
  try {
    checkFact(flags)
    const chosen = await chooseWorkflow(flags)
    view?.waitFor(openingStage(flags.model))
    const waits = createServerWaits(view)
    const { model, isBundled } = await leavingOnSignals(
      () => openModel(modelRequest(flags, chunksAhead(flags, chosen.workflow)), environment, waits),
      terminal,
      flags,
      view,
    )
    try {
      view?.waitFor('preparing the text')
      const { count: countTokens } = await createImmediateCounter(model.tokenizer)
      const reader = `${model.name}${isBundled ? ' (the bundled model)' : ''}`
      const acts = await actsOf(flags, { prose: await installedProse(), countTokens, reader })
      const { profile, workflow } = await readingWith(model, flags, chosen)
      const note = noteOnProfile(model, profile, workflow)
      if (note !== undefined) view?.note(note)
      const records: DemoRecord[] = []
      for (const [i, act] of acts.entries()) {
        const reading = {
          ...{ model, profile, workflow, waits },
          view: i === 0 ? view : openView(flags, terminal),
        }
        records.push(await play(act, reading, flags, terminal))
      }
      const isCorrect = records.every(({ correct }) => correct)
      if (isBundled && isAsChosen(flags)) view?.note(easyNote)
      if (flags.json)
        printJson(terminal.stdout, { ...records[0], ...(records[1] && { several: records[1] }) })
      return isCorrect ? exitCodes.ok : exitCodes.failed
    } finally {
      await model.close?.()
    }
  } catch (error) {
    view?.end()
    return report(error, terminal, flags)
  }
}

const easyNote =
  'These facts were chosen because they are easy; --seed N draws others. The model card (README of @memagent/nano) says how often the model is right.'

/** Whether the facts are those of a demo without options. */
const isAsChosen = ({ seed, fact, tokens, decoys, workflow }: DemoFlags): boolean =>
  [seed, fact, tokens, workflow].every((flag) => flag === undefined) && decoys === 0

type DemoReading = Pick<ReadingRun, 'model' | 'profile' | 'workflow' | 'waits' | 'view'>

interface DemoRecord {
  readonly correct: boolean
}

/** Reads and asks; prints the outcome unless `--json` asks for it. */
async function play(
  act: Act,
  reading: DemoReading,
  flags: DemoFlags,
  terminal: Terminal,
): Promise<DemoRecord> {
  const { view, model, workflow } = reading
  for (const line of act.introduction) view?.note(line)
  view?.note(`Question: ${act.question}`)
  if (view) view.keepsMemories = act.showsMemories
  const { answer, warnings, memory, steps, usage, seconds } = await runReading(
    {
      ...reading,
      question: act.question,
      document: act.document,
      sampling: samplingOf(flags),
      concurrency: flags.concurrency,
      ahead: chunksAhead(flags, workflow),
      onEvent: eventPrinter(flags, terminal),
    },
    terminal,
  )
  const correct = act.isCorrect(answer.text)
  const peakMemoryBytes = process.resourceUsage().maxRSS * 1024
  const { chunkTokens: tokens, bytes, keptMemories: kept } = usage
  const uniqueBytes = Math.min(act.uniqueBytes, bytes)
  if (!flags.json && !flags.events) {
    const rate = count(Math.round(tokens / seconds))
    const found = printable(answer.text) || (answer.outcome === 'not-found' ? 'not found' : 'none')
    terminal.stdout.write(
      [
        `read:     ${count(tokens)} tokens, ${count(bytes)} bytes (${count(uniqueBytes)} unique) in ${clock(seconds)}, ${rate} tokens/s`,
        `steps:    ${count(steps)}${kept > 0 ? `, ${count(kept)} of them without a usable response` : ''}`,
        `peak:     ${Math.round(peakMemoryBytes / 2 ** 20)} MiB of RAM`,
        `question: ${printable(act.question)}`,
        `answer:   ${found}`,
        `expected: ${printable(act.expected.join('; '))}`,
        correct ? 'correct' : 'WRONG',
        '',
      ].join('\n'),
    )
  }
  const record = {
    ...{ answer: answer.text, outcome: answer.outcome, warnings },
    expected: act.expected.length === 1 ? act.expected[0] : act.expected,
    ...{ correct, tokens, bytes, uniqueBytes },
    question: act.question,
    ...act.planted,
    ...{ memory, steps, usage, seconds, peakMemoryBytes },
    ...{ model: model.name, workflow: workflow.name },
  }
  return record
}
