/** All parsers, by the name of their loader; loaded on first use. */
import type { Parser } from './parser.ts'

export const parsers = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  office: async () => (await import('./office.ts')).parseOffice,
  opendocument: async () => (await import('./opendocument.ts')).parseOpenDocument,
  epub: async () => (await import('./epub.ts')).parseEpub,
  rtf: async () => (await import('./rtf.ts')).parseRtf,
  notebook: async () => (await import('./notebook.ts')).parseNotebook,
} satisfies Readonly<Record<string, () => Promise<Parser>>>

export type ParserName = keyof typeof parsers
