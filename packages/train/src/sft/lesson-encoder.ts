/** Turns text into tokens as inference does; `marked` text may contain control tokens and markers. */
export interface LessonEncoder {
  plain(text: string): number[]
  marked(text: string): number[]
  /** A rare token that represents a kind of fact, only for hints. */
  kindToken(kind: string): number
}
