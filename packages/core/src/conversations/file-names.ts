/** Names for the files of a conversation, as used in its text and sources. */

/** @returns a function that gives each file a unique name of one line; @param filename as the client calls it */
export function createFileNames(): (filename?: string) => string {
  const taken = new Set<string>()
  return (filename) => {
    const plain = filename?.replace(/\p{C}+/gu, ' ').trim() || `file ${taken.size + 1}`
    let [name, number] = [plain, 2]
    while (taken.has(name)) name = `${plain} (${number++})`
    taken.add(name)
    return name
  }
}
