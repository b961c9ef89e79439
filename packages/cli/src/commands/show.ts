/** `memagent show [RUN]`: replays a run, its memory step by step, and how it ended; `--html` writes that as a page. */
import { type ReadableRuns, runOfQuestion, StoreError } from '@memagent/store'
import { makeRunPage, runPageHtml, type ShownStep, stepsOf } from '@memagent/web'
import { Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../failures.ts'
import { writeFileForOwner } from '../file-for-owner.ts'
import { latestRun } from '../run-store/latest-run.ts'
import { type StorePlace, storeArgument, withStore } from '../run-store/open-store.ts'
import { questionsOf } from '../run-store/run-settings.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { colorsOf } from '../view/colors.ts'
import { hasQuestions, type QuestionsRun, questionsText } from '../view/shown-questions.ts'
import { endText, headText, type StepView, stepText, unchangedText } from '../view/shown-run.ts'

interface ShowFlags extends StoreFlags {
  readonly json?: boolean
  readonly html?: string
  /** From 1. */
  readonly step?: number
  /** If there are several, from 1. */
  readonly question?: number
  readonly color: boolean
}

export function showCommand(terminal: Terminal): Command {
  return addStoreOption(
    new Command('show').argument('[run]', 'its name, or how that begins (default: the latest run)'),
  )
    .description('replay a run: what the memory was after each step, and where it was read')
    .addOption(
      new Option('--step <number>', 'one step, with the whole memory')
        .argParser(numberFrom1('Steps'))
        .conflicts(['json', 'html']),
    )
    .addOption(
      new Option('--html <file>', 'write a page to look through the run in a browser').conflicts('json'),
    )
    .addOption(
      new Option('--question <number>', 'of several questions, this one').argParser(numberFrom1('Questions')),
    )
    .option('--json', 'print the run and then every event as a JSON line')
    .option('--no-color', 'no colours')
    .action((given: string | undefined, flags: ShowFlags) =>
      withStore(flags, terminal, async (store, place) => {
        const id = given ?? (await latestRun(store, terminal))
        const runs = flags.question === undefined ? store : await ofQuestion(store, id, flags.question)
        if (flags.html !== undefined) return writePage(runs, id, flags.html, place, terminal)
        return flags.json ? printEvents(runs, id, terminal) : replay(runs, id, flags, terminal)
      }),
    )
}

const numberFrom1 = (what: string) => (text: string) => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number === 0) {
    throw new InvalidArgumentError(`${what} count from 1.`)
  }
  return number
}

/** The run of one question, by its place among those that were asked. @throws StoreError */
async function ofQuestion(store: ReadableRuns, id: string, number: number): Promise<ReadableRuns> {
  const run = await store.load(id)
  const { asked, readAs } = questionsOf(run)
  const at = readAs[number - 1]
  if (at === undefined && asked.length > 0) throw noQuestion(run.id, asked.length, number)
  return runOfQuestion(store, (at ?? 0) + 1)
}

async function writePage(
  store: ReadableRuns,
  id: string,
  path: string,
  place: StorePlace,
  { stderr }: Terminal,
): Promise<void> {
  await writeFileForOwner(path, await runPageHtml(await makeRunPage(store, id)), place.path)
  stderr.write(
    `${printable(path)} is written: open it in a browser. It quotes the text, as the store does.\n`,
  )
}

async function printEvents(store: ReadableRuns, id: string, { stdout }: Terminal): Promise<void> {
  const { checkpoint: _, ...run } = await store.load(id)
  printJson(stdout, { type: 'run', ...run })
  for await (const event of store.events(run.id)) printJson(stdout, event)
}

async function replay(store: ReadableRuns, id: string, flags: ShowFlags, terminal: Terminal): Promise<void> {
  const { stdout } = terminal
  const run = await store.load(id)
  if (hasQuestions(run)) {
    if (flags.step !== undefined) throw ofSeveral(run)
    stdout.write(headText(run) + questionsText(run, storeArgument(flags)))
    return
  }
  const colors = colorsOf(flags, terminal, stdout)
  const steps = stepsOf(store.events(run.id))
  if (flags.step !== undefined) {
    stdout.write(stepText(await stepAt(steps, flags.step, run.id), { colors, isWhole: true }))
    return
  }
  stdout.write(headText(run))
  for await (const text of replayed(steps, { colors })) stdout.write(text)
  stdout.write(endText(run, storeArgument(flags)))
}

/** Combines steps in which nothing happened. */
async function* replayed(steps: AsyncIterable<ShownStep>, view: StepView): AsyncGenerator<string> {
  let quiet: ShownStep[] = []
  for await (const step of steps) {
    const isQuiet =
      step.warnings.length === 0 &&
      step.memories.every(({ changed, origin }) => !changed && origin !== 'kept')
    // Keeps the first and the last of several.
    if (isQuiet) quiet = [...quiet.slice(0, 1), step]
    else {
      yield unchangedText(quiet) + stepText(step, view)
      quiet = []
    }
  }
  yield unchangedText(quiet)
}

async function stepAt(steps: AsyncIterable<ShownStep>, number: number, run: string): Promise<ShownStep> {
  let count = 0
  for await (const step of steps) {
    if (++count === number) return step
  }
  throw new UsageError({
    code: 'cli/no-step',
    message: `The run ${run} has no step ${number}; it has ${count === 1 ? 'one step' : `${count} steps`}.`,
    hint: 'The first is 1.',
  })
}

const noQuestion = (id: string, count: number, number: number) =>
  new StoreError({
    code: 'store/no-question',
    message: `The run ${id} has ${count === 1 ? 'one question' : `${count} questions`}, and no question ${number}.`,
    hint: 'The first is 1.',
    details: { id, number },
  })

const ofSeveral = (run: QuestionsRun) =>
  new UsageError({
    code: 'cli/several-questions',
    message: `Run ${run.id} has a list of questions, each with its own steps.`,
    hint: 'Say which: --question 1',
    details: { id: run.id },
  })
