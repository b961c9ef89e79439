/** Passages behind an answer, as sources of the SDK. */
import type { LanguageModelV3Source } from '@ai-sdk/provider'
import { positionText, type SourceQuote, type TracedStatement } from '@memagent/core'
import type { PromptFile } from './prompt-turns.ts'

/** Each passage once, in the order of the statements. */
export function sourcesOf(
  statements: readonly TracedStatement[],
  files: readonly PromptFile[],
): LanguageModelV3Source[] {
  const places = new Map<string, SourceQuote>()
  for (const { sources } of statements) {
    for (const source of sources) places.set(`${source.startByte} ${source.endByte} ${source.file}`, source)
  }
  return [...places.values()].map((source, i) => sourceOf(source, `source-${i + 1}`, files))
}

function sourceOf(
  { quote, context, file, startByte, endByte, position }: SourceQuote,
  id: string,
  files: readonly PromptFile[],
): LanguageModelV3Source {
  // A file inside an archive has the archive's name before its own.
  const holder = files.find(({ name }) => file === name || file.startsWith(`${name}/`))
  const passage = { quote, context, startByte, endByte, position }
  return {
    type: 'source',
    sourceType: 'document',
    id,
    mediaType: holder?.mediaType ?? 'text/plain',
    title: [file, position && positionText(position)].filter(Boolean).join(', '),
    ...(holder && { filename: holder.name }),
    // Drops undefined fields.
    providerMetadata: { memagent: JSON.parse(JSON.stringify(passage)) },
  }
}
