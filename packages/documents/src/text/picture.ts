/** A picture stands in the text as its description, for files that have one. */

/** @param description its alternative text @returns `[picture: A map of the quay]`; nothing without a description */
export function pictureText(description = ''): string {
  const words = description.replaceAll(/\s+/g, ' ').trim()
  return words === '' ? '' : `[picture: ${words}]`
}
