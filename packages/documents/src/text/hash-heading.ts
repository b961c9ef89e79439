/** Headings of Markdown that begin with `#`. */

const hashes = /^ {0,3}(#{1,6})(?=[ \t]|\r?\n?$)/

/** `## Title ##`, in linear time. */
export function hashHeading(line: string): { readonly level: number; readonly title: string } | undefined {
  const [all, marks] = hashes.exec(line) ?? []
  if (all === undefined) return undefined
  const title = line.slice(all.length).trim()
  let end = title.length
  while (title[end - 1] === '#') end--
  const isClosed = end === 0 || /[ \t]/.test(title[end - 1]!)
  return { level: marks!.length, title: isClosed ? title.slice(0, end).trimEnd() : title }
}
