/** `memagent bench report FILES...`: tables and plots of recorded runs. */
import { existsSync } from 'node:fs'
import {
  type Analysis,
  analyse,
  collectObservations,
  markdownText,
  type NamedRecords,
  type ReportFormat,
  readReportConfig,
  reportFormats,
  reportJson,
  writeReport,
  writeReports,
} from '@memagent/bench'
import { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { printJson, type Terminal } from '../terminal.ts'

interface BenchReportFlags {
  readonly config?: string
  readonly output?: string
  readonly format?: readonly ReportFormat[]
  readonly reader?: string
  readonly json?: boolean
}

const formats = Object.keys(reportFormats) as ReportFormat[]

export function benchReportCommand(terminal: Terminal): Command {
  return new Command('report')
    .description('make tables and plots of recorded runs, with intervals and paired differences')
    .argument(
      '[files...]',
      'records written by `memagent bench run`; NAME=FILE sets the name that the report uses for the reader',
    )
    .option(
      '--config <file>',
      'write the pages and reports described in a YAML file, such as recipes/lab/report.yaml',
    )
    .option('--output <folder>', 'write the report there; without it, Markdown goes to standard output')
    .option('--format <list>', `of ${formats.join(',')} (default: all)`, formatList)
    .option('--reader <method>', 'compare the others with this one (default: the first that is a workflow)')
    .option('--json', 'print one JSON document: every number of the report, and the files written')
    .action((files: string[], flags: BenchReportFlags) => benchReport(files, flags, terminal))
}

function formatList(list: string): ReportFormat[] {
  const names = list.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !Object.hasOwn(reportFormats, name))
  if (unknown.length > 0) {
    throw new UsageError({
      code: 'cli/unknown-format',
      message: `There is no format ${unknown.join(', ')}.`,
      hint: `Known: ${formats.join(', ')}.`,
    })
  }
  return [...new Set(names)] as ReportFormat[]
}

async function benchReport(
  files: readonly string[],
  flags: BenchReportFlags,
  { stdout, stderr }: Terminal,
): Promise<void> {
  if (flags.output === undefined && flags.format !== undefined && flags.format.join() !== 'markdown') {
    throw new UsageError({
      code: 'cli/no-output',
      message: 'No output folder was given.',
      hint: 'Add --output FOLDER; without it, only Markdown can be printed.',
    })
  }
  if (flags.config !== undefined) return writeConfigured(flags.config, files, flags, stdout)
  if (files.length === 0) {
    throw new UsageError({
      code: 'cli/no-records',
      message: 'No records were given.',
      hint: 'Pass files written by `memagent bench run`, or --config FILE.',
    })
  }
  const analysis = analyse(await collectObservations(files.map(namedFile)), { reader: flags.reader })
  for (const { path, cutLines } of analysis.sources) {
    if (cutLines > 0) stderr.write(`${path}: lines cut short and left out: ${cutLines}\n`)
  }
  const written =
    flags.output === undefined ? [] : await writeReport(analysis, flags.output, flags.format ?? formats)
  if (flags.json) printJson(stdout, { files: written, ...reportJson(analysis) })
  else stdout.write(shown(analysis, written, flags.output))
}

async function writeConfigured(
  config: string,
  files: readonly string[],
  { output, format, reader, json }: BenchReportFlags,
  stdout: Terminal['stdout'],
): Promise<void> {
  if (files.length > 0 || output !== undefined || format !== undefined || reader !== undefined) {
    throw new UsageError({
      code: 'cli/config-and-files',
      message: '--config determines what is reported and where; use it alone.',
    })
  }
  const written = await writeReports(await readReportConfig(config))
  if (json) printJson(stdout, { files: written })
  else stdout.write(pathsOf(written))
}

/** `NAME=FILE`, unless a file has that very name. */
function namedFile(given: string): string | NamedRecords {
  const [, reader, path] = /^([^=/\\]+)=(.+)$/.exec(given) ?? []
  return reader === undefined || path === undefined || existsSync(given) ? given : { reader, path }
}

function shown(analysis: Analysis, written: readonly string[], output: string | undefined): string {
  if (output === undefined) return markdownText(analysis)
  return pathsOf(written)
}

/** The files without the plots. */
const pathsOf = (written: readonly string[]): string =>
  written
    .filter((path) => !path.endsWith('.svg'))
    .map((path) => `${path}\n`)
    .join('')
