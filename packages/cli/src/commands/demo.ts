/** `memagent demo`: plants a fact in a million tokens of prose that the installation brought along, and asks for it. */
import { createImmediateCounter } from '@memagent/core'
import { installedProse, strictScore } from '@memagent/tasks'
import { Command } from 'commander'
import { openingStage, openModel } from '../backends.ts'
import { exitCodes, report, UsageError } from '../failures.ts'
import { createServerWaits } from '../server-waits.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { clock, count, openView } from '../view/progress.ts'
import { chunksAhead } from './ahead-option.ts'
import { defaultSeed, drawFact, type PlantedFact, plantFact } from './demo-text.ts'
import {
  addReadingOptions,
  chooseWorkflow,
  integer,
  modelRequest,
  noteOnProfile,
  type ReadingFlags,
  readingWith,
  samplingOf,
  wholeNumber,
} from './reading-options.ts'
import { runReading } from './run-reading.ts'

interface DemoFlags extends ReadingFlags {
  readonly tokens?: number
  readonly fact?: string
  readonly decoys: number
  readonly question?: string
  readonly expect?: string
  readonly json?: boolean
  readonly events?: boolean
  readonly quiet?: boolean
  readonly color: boolean
}

const defaultTokens = 1_000_000
/** Unless a length is given, the text also has at least this many bytes. */
const defaultBytes = 4_000_000

export function demoCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  return addReadingOptions(new Command('demo'))
    .description('plant a fact in a million tokens of real prose and ask for it; needs no data')
    .option(
      '--tokens <n>',
      'length of the text (default: 1,000,000 tokens and 4,000,000 bytes)',
      integer('--tokens'),
    )
    .option('--decoys <n>', 'similar facts to plant per 200,000 tokens', wholeNumber('--decoys'), 0)
    .option('--fact <sentence>', 'plant this sentence; needs --question and --expect')
    .option('--question <text>', 'the question to ask')
    .option('--expect <text>', 'the expected answer')
    .option('--json', 'print one JSON document')
    .option('--events', 'print every event as a JSON line')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colours')
    .action(async (flags: DemoFlags) => {
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

function chooseFact(flags: DemoFlags, seed: number, decoyCount: number): PlantedFact {
  if (flags.fact === undefined) return drawFact(seed, decoyCount)
  return { statement: flags.fact!, question: flags.question!, expected: flags.expect!, decoys: [] }
}

async function demo(flags: DemoFlags, terminal: Terminal): Promise<number> {
  const { stdout, environment } = terminal
  const view = openView(flags, terminal)
  const say = (text: string) => view?.note(text)
  try {
    const seed = flags.seed ?? defaultSeed
    checkFact(flags)
    const chosen = await chooseWorkflow(flags)
    view?.waitFor(openingStage(flags.model))
    const waits = createServerWaits(view)
    const { model, isBundled } = await openModel(
      modelRequest(flags, chunksAhead(flags, chosen.workflow)),
      environment,
      waits,
    )
    try {
      view?.waitFor('preparing the text')
      const prose = await installedProse()
      const { count: countTokens } = await createImmediateCounter(model.tokenizer)
      // Lengths are estimates: add a little, so that the text is not shorter than requested.
      let lengthTokens = Math.ceil(1.005 * (flags.tokens ?? defaultTokens))
      const make = () => {
        const fact = chooseFact(flags, seed, Math.ceil((flags.decoys * lengthTokens) / 200_000))
        return { fact, ...plantFact(fact, { prose, seed, lengthTokens, countTokens }) }
      }
      let made = make()
      if (flags.tokens === undefined && made.planted.sizeBytes < defaultBytes) {
        lengthTokens = Math.ceil((1.01 * lengthTokens * defaultBytes) / made.planted.sizeBytes)
        made = make()
      }
      const { fact, depth, planted } = made
      const { startByte } = planted.ranges[0]!
      say(
        `${model.name}${isBundled ? ' (the bundled model)' : ''} reads about ${count(lengthTokens)} tokens, ${count(planted.sizeBytes)} bytes of prose (${count(Math.min(prose.uniqueBytes, planted.sizeBytes))} unique).`,
      )
      say(`Planted at byte ${count(startByte)} (${(100 * depth).toFixed(1)} %): ${printable(fact.statement)}`)
      if (fact.decoys.length > 0)
        say(`And ${fact.decoys.length} decoys, such as: ${printable(fact.decoys[1] ?? fact.decoys[0]!)}`)
      say(`Question: ${fact.question}`)
      const { profile, workflow } = await readingWith(model, flags, chosen)
      const note = noteOnProfile(model, profile, workflow)
      if (note !== undefined) say(note)
      const { answer, warnings, memory, steps, usage, seconds } = await runReading(
        {
          question: fact.question,
          document: planted.document,
          model,
          profile,
          workflow,
          sampling: samplingOf(flags),
          concurrency: flags.concurrency,
          ahead: chunksAhead(flags, workflow),
          waits,
          printEvents: flags.events ?? false,
          view,
        },
        terminal,
      )
      const correct = strictScore(answer.text, [fact.expected], 'any') === 1
      const peakMemoryBytes = process.resourceUsage().maxRSS * 1024
      if (flags.json) {
        const record = {
          answer: answer.text,
          outcome: answer.outcome,
          warnings,
          expected: fact.expected,
          correct,
          tokens: usage.chunkTokens,
          bytes: usage.bytes,
          uniqueBytes: Math.min(prose.uniqueBytes, usage.bytes),
          question: fact.question,
          fact: fact.statement,
          depth,
          decoys: fact.decoys.length,
          memory,
          steps,
          usage,
          seconds,
          peakMemoryBytes,
          model: model.name,
          workflow: workflow.name,
        }
        printJson(stdout, record)
      } else if (!flags.events) {
        stdout.write(
          [
            `read:     ${count(usage.chunkTokens)} tokens, ${count(usage.bytes)} bytes (${count(Math.min(prose.uniqueBytes, usage.bytes))} unique) in ${clock(seconds)}, ${count(Math.round(usage.chunkTokens / seconds))} tokens/s`,
            `memory:   rewritten ${count(steps)} times, ${usage.keptMemories} of them kept as a fallback; peak ${Math.round(peakMemoryBytes / 2 ** 20)} MiB`,
            `question: ${printable(fact.question)}`,
            `answer:   ${printable(answer.text) || (answer.outcome === 'not-found' ? 'not in the text' : 'none')}`,
            `expected: ${printable(fact.expected)}`,
            correct ? 'correct' : 'WRONG',
            '',
          ].join('\n'),
        )
      }
      return correct ? exitCodes.ok : exitCodes.failed
    } finally {
      await model.close?.()
    }
  } catch (error) {
    view?.end()
    return report(error, terminal, { json: flags.json ?? false, events: flags.events })
  }
}
