/** Fences round code in Markdown. */

/** The marks that open code, if a line does. */
export const fenceOf = (line: string): string | undefined => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]

/** Whether a line closes the code that these marks have opened: it has no other text. */
export const closesFence = (line: string, open: string): boolean =>
  /^ {0,3}(?:`+|~+)\s*$/.test(line) && line.trim().startsWith(open)
