/** Writes a report's files. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '@memagent/core'
import type { Analysis } from './analysis/analyse.ts'
import { csvFiles } from './formats/csv.ts'
import { htmlFiles } from './formats/html.ts'
import { markdownFiles } from './formats/markdown.ts'
import type { ReportFile } from './formats/report-file.ts'

/** One line per format. */
export const reportFormats = {
  markdown: markdownFiles,
  csv: csvFiles,
  html: htmlFiles,
} as const satisfies Record<string, (analysis: Analysis) => ReportFile[]>

export type ReportFormat = keyof typeof reportFormats

/**
 * Overwrites files of the same names; leaves others in the folder alone.
 * @returns paths of the written files
 * @throws ConfigurationError for an unknown format, and when the folder cannot be written to, or is a file
 */
export async function writeReport(
  analysis: Analysis,
  folder: string,
  formats: readonly ReportFormat[],
): Promise<string[]> {
  const unknown = formats.find((format) => !Object.hasOwn(reportFormats, format))
  if (unknown !== undefined) {
    const known = Object.keys(reportFormats).join(', ')
    const message = `There is no report format ${String(unknown)}: there are ${known}.`
    throw new ConfigurationError({ code: 'bench/unknown-format', message })
  }
  const files = formats.flatMap((format) => reportFormats[format](analysis))
  for (const { name, text } of files) {
    const path = join(folder, name)
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    } catch (cause) {
      throw unwritable(path, folder, cause)
    }
  }
  return files.map(({ name }) => join(folder, name))
}

function unwritable(path: string, folder: string, cause: unknown): ConfigurationError {
  const { code, message } = cause as NodeJS.ErrnoException
  const isFile = code === 'EEXIST' || code === 'ENOTDIR'
  return new ConfigurationError({
    code: 'bench/unwritable-report',
    message: isFile ? `${folder} is a file, or stands below one.` : `Cannot write ${path}: ${message}`,
    hint: 'A report is several files: name a folder for them, one that can be written to.',
    details: { path, folder },
    cause,
  })
}
