/** A picture stands in the text as its description, for files that have one. */

/** Programs put it in where nobody described the picture. */
const fileName = /^\S+\.(?:png|jpe?g|gif|webp|bmp|emf|wmf|tiff?|svg)$/i

/** @param description its alternative text @returns `[picture: A map of the quay]`; nothing without a description */
export function pictureText(description = ''): string {
  const words = description.replaceAll(/\s+/g, ' ').trim()
  return words === '' || fileName.test(words) ? '' : `[picture: ${words}]`
}
