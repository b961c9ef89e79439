/** `memagent text [FILE...]`: prints the text that would be read, with positions. */
import { requireText, type TextPiece, tellsUnread } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import { Command } from 'commander'
import { printable, printableText, printJson, type Terminal } from '../terminal.ts'
import { positionText } from '../view/place-text.ts'
import { addTextOptions, openText, printRemarks, type TextFlags } from './open-text.ts'

interface TextCommandFlags extends TextFlags {
  readonly json?: boolean
}

export function textCommand(terminal: Terminal): Command {
  return addTextOptions(new Command('text'), 'texts: files, folders, archives; "-" or none: standard input')
    .description('print the text that would be read, with its pages, rows, headings or lines')
    .option('--json', 'print a JSON line for each piece: its text, source, position and bytes')
    .action((files: string[], flags: TextCommandFlags) => text(files, flags, terminal))
}

async function text(files: readonly string[], flags: TextCommandFlags, terminal: Terminal): Promise<void> {
  const remarks: SourceRemark[] = []
  try {
    const document = await openText(files, flags, terminal, 'text', remarks)
    const print = flags.json ? printPieces : printText
    const notes: string[] = []
    const text = requireText(document, (remark) => tellsUnread(remark) || notes.push(remark.message))
    await print(text.open(), terminal)
    for (const note of notes) terminal.stderr.write(`note: ${printable(note)}\n`)
  } finally {
    printRemarks(remarks, terminal.stderr)
  }
}

async function printPieces(pieces: AsyncIterable<TextPiece>, { stdout }: Terminal): Promise<void> {
  for await (const { source, position, offsetBytes, lengthBytes, text } of pieces) {
    printJson(stdout, { source, position, startByte: offsetBytes, endByte: offsetBytes + lengthBytes, text })
  }
}

/** Prints a line above each new page or heading; numbers rows and lines at the left. */
async function printText(pieces: AsyncIterable<TextPiece>, { stdout }: Terminal): Promise<void> {
  let [place, number, isLineStart]: [string, number | undefined, boolean] = ['', undefined, true]
  let source: string | undefined
  const endLine = () => {
    if (!isLineStart) stdout.write('\n')
    isLineStart = true
  }
  for await (const piece of pieces) {
    const { position } = piece
    if (piece.source !== source || position) {
      const { row: _, line: __, ...above } = position ?? {}
      const next = [printable(piece.source), positionText(above)].filter((part) => part !== '').join(', ')
      if (next !== place) {
        endLine()
        stdout.write(`${place === '' ? '' : '\n'}[${next}]\n`)
      }
      place = next
      source = piece.source
      number = position?.row ?? position?.line
    }
    const counts = position?.row === undefined && number !== undefined
    const lines = piece.text.split('\n')
    for (const [i, line] of lines.entries()) {
      if (i === lines.length - 1 && line === '') break
      if (isLineStart) stdout.write(number === undefined ? '' : `${String(number).padStart(6)}  `)
      stdout.write(printableText(line))
      isLineStart = i < lines.length - 1
      if (!isLineStart) break
      stdout.write('\n')
      if (counts) number = number! + 1
      else if (position?.row !== undefined) number = undefined
    }
  }
  endLine()
}
