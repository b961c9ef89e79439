/** Copies a text, since a substring may keep the whole string in memory, which may be a whole document. */
export const ownCopy = (text: string): string => JSON.parse(JSON.stringify(text)) as string
