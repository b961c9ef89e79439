/** Names for the files of a conversation, as its text and its sources give them. */

/** @returns gives each file a name of one line that no other has; @param filename as the client calls it */
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
