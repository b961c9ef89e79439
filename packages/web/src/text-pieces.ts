/** A memory in pieces that are compared whole: lines, the sentences of a line, and the white space between them. */

/** They join to the text. */
export const piecesOf = (text: string): string[] =>
  text.split(/(\n+|(?<=[.!?]["'”’)]?)[ \t]+(?=\p{Lu}))/u).filter((piece) => piece !== '')
