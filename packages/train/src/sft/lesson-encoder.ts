/** Turns text into tokens as inference does; `marked` text may contain control tokens and markers. */
export interface LessonEncoder {
  plain(text: string): number[]
  marked(text: string): number[]
  /** A rare token that stands for a kind of fact, for hints alone. */
  kindToken(kind: string): number
}
