/** `memagent show RUN`: replays a run, its memory step by step, and how it ended. */
import type { ReadingEvent } from '@memagent/core'
import type { StoredRun } from '@memagent/store'
import { Command } from 'commander'
import { exitCodes, report } from '../failures.ts'
import {
  addStoreOption,
  namingStore,
  openStore,
  type StoreFlags,
  storeArgument,
} from '../run-store/store-option.ts'
import { printable, printableLines, printJson, type Terminal } from '../terminal.ts'
import { memoryDifference } from '../view/memory-difference.ts'
import { rangesText } from '../view/place-text.ts'
import { clock, count } from '../view/progress.ts'
import { stateText, timeText } from './runs.ts'

interface ShowFlags extends StoreFlags {
  readonly json?: boolean
  readonly color: boolean
}

export function showCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  return addStoreOption(new Command('show').argument('<run>', 'its name, or how that begins'))
    .description('replay a run: what the memory was after each step, and where it was read')
    .option('--json', 'print the run and then every event as a JSON line')
    .option('--no-color', 'no colours')
    .action(async (id: string, flags: ShowFlags) => {
      setExitCode(await show(id, flags, terminal))
    })
}

async function show(id: string, flags: ShowFlags, terminal: Terminal): Promise<number> {
  const { stdout, environment } = terminal
  try {
    const { store } = await openStore(flags, terminal)
    try {
      const run = await store.load(id)
      const events = store.events(run.id)
      if (flags.json) {
        const { checkpoint: _, ...rest } = run
        printJson(stdout, { type: 'run', ...rest })
        for await (const event of events) printJson(stdout, event)
        return exitCodes.ok
      }
      const isColored = flags.color && !environment.NO_COLOR && stdout.isTTY === true
      stdout.write(headText(run))
      for await (const step of stepsOf(events)) stdout.write(stepText(step, isColored))
      stdout.write(endText(run, flags))
      return exitCodes.ok
    } finally {
      await store.close()
    }
  } catch (error) {
    return report(namingStore(error, flags), terminal, { json: flags.json ?? false })
  }
}

type EventOf<Type extends ReadingEvent['type']> = Extract<ReadingEvent, { type: Type }>

/** What happened while one chunk was read. */
interface ShownStep {
  readonly number: number
  readonly chunk: EventOf<'chunk-end'>
  readonly memories: readonly EventOf<'memory-end'>[]
  readonly warnings: readonly EventOf<'warning'>[]
}

async function* stepsOf(events: AsyncIterable<ReadingEvent>): AsyncGenerator<ShownStep> {
  let number = 0
  let [memories, warnings]: [EventOf<'memory-end'>[], EventOf<'warning'>[]] = [[], []]
  for await (const event of events) {
    if (event.type === 'memory-end') memories.push(event)
    else if (event.type === 'warning') warnings.push(event)
    else if (event.type === 'chunk-end') {
      yield { number: ++number, chunk: event, memories, warnings }
      memories = []
      warnings = []
    }
  }
}

const headText = (run: StoredRun): string =>
  [
    run.question === undefined ? 'Notes' : `Question: ${printable(run.question)}`,
    `Text: ${printable(run.document)}`,
    `Run ${run.id}, begun ${timeText(run.createdMs)}, ${stateText(run)}, ${count(run.steps)} ${run.steps === 1 ? 'step' : 'steps'}, ${printable(run.model)}, ${printable(run.workflow)}`,
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')

function stepText({ number, chunk, memories, warnings }: ShownStep, isColored: boolean): string {
  const head = `Step ${count(number)}: ${rangesText(chunk.ranges)}\n`
  const changes = memories
    .filter(({ changed }) => changed)
    .map(({ previous, memory, slot }) => {
      const of = slot === undefined ? '' : `  memory ${slot + 1}:\n`
      return of + memoryDifference(previous, memory, isColored)
    })
  const remarks = warnings.map(({ message }) => `  warning: ${printable(message)}\n`)
  const isKept = memories.some(({ origin }) => origin === 'kept')
  const nothing =
    changes.length > 0
      ? ''
      : isKept
        ? '  the memory was kept: the reply was unusable\n'
        : '  nothing changed\n'
  return head + changes.join('') + nothing + remarks.join('')
}

function endText({ result, failure, state, id }: StoredRun, flags: StoreFlags): string {
  if (!result) {
    if (state === 'running') return '\nIt is being read now.\n'
    const why = failure ? `: ${printable(failure.message)}` : '.'
    return `\nIt stopped here${why}\nResume it: memagent resume ${id}${storeArgument(flags)}\n`
  }
  const { calls, promptTokens, completionTokens, cachedPromptTokens } = result.usage
  const cached = cachedPromptTokens ? ` (${count(cachedPromptTokens)} from the server's cache)` : ''
  const usage = `${count(calls)} calls, ${count(promptTokens)} prompt tokens${cached}, ${count(completionTokens)} generated, ${clock(result.seconds)}`
  const warnings = result.warnings.map(({ message, count: times }) => {
    const which = times === 1 ? '' : ` (the first of ${times})`
    return `warning: ${printable(message)}${which}\n`
  })
  const end =
    result.type === 'notes'
      ? `Notes:\n${printableLines(result.memory)}\n`
      : `Answer (${result.answer.outcome}): ${printable(result.answer.text)}\n`
  return `\n${end}${warnings.join('')}${usage}\n`
}
