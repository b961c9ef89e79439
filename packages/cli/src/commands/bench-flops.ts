/** `memagent bench flops CONFIG`: the operations of a reader, and of one dense pass over the same text. */
import {
  compareFlops,
  csv,
  type FlopsComparison,
  multipliedWeights,
  paperShape,
  parseLength,
  readArchitecture,
  showLength,
} from '@memagent/bench'
import { Command } from 'commander'
import { printJson, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { alignedTable } from '../view/table.ts'
import { integer } from './reading-options.ts'

interface BenchFlopsFlags {
  readonly lengths: string
  readonly question: number
  readonly chunk: number
  readonly response: number
  readonly json?: boolean
  readonly csv?: boolean
}

/** The range of the paper's plot. */
const paperLengths = '8k,16k,32k,64k,128k,256k,512k,1m,2m,4m'

export function benchFlopsCommand(terminal: Terminal): Command {
  return new Command('flops')
    .description(
      "count the operations of a reader and of one dense pass over the same text, by the paper's formula",
    )
    .argument('<config>', 'config.json of a Llama or Qwen2 model')
    .option('--lengths <list>', 'tokens of the text', paperLengths)
    .option('--question <tokens>', 'q of the formula', integer('--question'), paperShape.question)
    .option('--chunk <tokens>', 'N of the formula', integer('--chunk'), paperShape.chunk)
    .option(
      '--response <tokens>',
      'o of the formula: memory and answer as written',
      integer('--response'),
      paperShape.response,
    )
    .option('--json', 'print one JSON document')
    .option('--csv', 'print CSV, one row per length')
    .action((path: string, flags: BenchFlopsFlags) => benchFlops(path, flags, terminal))
}

async function benchFlops(path: string, flags: BenchFlopsFlags, terminal: Terminal): Promise<void> {
  const { question, chunk, response } = flags
  const shape = { question, chunk, response }
  const lengths = flags.lengths.split(',').map(parseLength)
  const architecture = await readArchitecture(path)
  const rows = compareFlops(architecture, lengths, shape)
  const weights = multipliedWeights(architecture)
  if (flags.json) printJson(terminal.stdout, { architecture, weights, shape, rows })
  else terminal.stdout.write(flags.csv ? csv(rows.map(csvRow)) : shown(rows, weights))
}

const csvRow = ({ lengthTokens, dense, reader, ratio }: FlopsComparison) => ({
  length_tokens: lengthTokens,
  dense_flops: dense,
  reader_flops: reader,
  dense_per_reader: ratio,
})

function shown(rows: readonly FlopsComparison[], weights: number): string {
  const table = alignedTable([
    ['length', 'dense', 'reader', 'dense / reader'],
    ...rows.map(({ lengthTokens, dense, reader, ratio }) => [
      showLength(lengthTokens),
      dense.toExponential(2),
      reader.toExponential(2),
      ratio.toFixed(2),
    ]),
  ])
  return `${table}FLOPs of forward passes through ${count(weights)} weights; training takes three times as many.\n`
}
