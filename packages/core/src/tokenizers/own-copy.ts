/** A substring may keep the whole string in memory, and that may be a whole document. */
export const ownCopy = (text: string): string => JSON.parse(JSON.stringify(text)) as string
