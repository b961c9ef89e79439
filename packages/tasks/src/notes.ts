/** What a perfect reader remembers: the lines of its memory after a sample's notes. */
import type { Note } from './task.ts'

/** Texts of lines by name, in the order in which they were added. */
export type NotedLines = ReadonlyMap<string, string>

/** The lines after these notes. A line keeps its place when its text changes. */
export function applyNotes(lines: NotedLines, notes: readonly Pick<Note, 'line' | 'text'>[]): NotedLines {
  const after = new Map(lines)
  for (const { line, text } of notes) {
    if (text === undefined) after.delete(line)
    else after.set(line, text)
  }
  return after
}
