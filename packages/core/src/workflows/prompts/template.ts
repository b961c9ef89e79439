/**
 * Templates: texts with named places. `{section}` is a place. Other braces are literal (`\boxed{}`, `{"a": 1}`), and `{{word}}`
 * stands for a literal `{word}`.
 */

const place = /\{\{([A-Za-z]\w*)\}\}|\{([A-Za-z]\w*)\}/g
const tag = /<\/?[\p{L}\p{N}_.:-]+>/gu

/** Fills every place. Parts are inserted as they are: what looks like a place in one stays. */
export function renderTemplate(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(place, (whole, literal: string | undefined, name: string) =>
    literal === undefined ? (parts[name] ?? whole) : `{${literal}}`,
  )
}

/** The places of a template in order, each with the position after it. */
function placesIn(template: string): readonly { readonly name: string; readonly end: number }[] {
  return [...template.matchAll(place)].flatMap(({ 0: whole, 2: name, index }) =>
    name === undefined ? [] : [{ name, end: index + whole.length }],
  )
}

/** How often a place occurs in a template. */
export const timesOf = (place: string, template: string): number =>
  placesIn(template).filter(({ name }) => name === place).length

/** The tags that structure templates: `<section>`, `</section>`. */
export const tagsIn = (templates: readonly string[]): readonly string[] => [
  ...new Set(templates.flatMap((template) => template.match(tag) ?? [])),
]

/** Problems unless the template has all of these places and no others. */
export function problemsOfPlaces(template: string, places: readonly string[]): readonly string[] {
  const found = new Set(placesIn(template).map(({ name }) => name))
  const listed = places.length === 0 ? 'none' : places.map((name) => `{${name}}`).join(', ')
  return [
    ...places.filter((name) => !found.has(name)).map((name) => `the place {${name}} is missing`),
    ...[...found]
      .filter((name) => !places.includes(name))
      .map((name) => `{${name}} is no place (there is ${listed}; for the word in braces, write {{${name}}})`),
  ]
}

/**
 * The content of a place must not be able to continue as instructions: every place must be followed directly by a marker, which
 * the text in the place cannot contain.
 */
export function problemsOfStructure(template: string, markers: readonly string[]): readonly string[] {
  return placesIn(template).flatMap(({ name, end }) => {
    const behind = template.slice(end).trimStart()
    if (markers.some((marker) => behind.startsWith(marker))) return []
    return `text in {${name}} could run on into what follows it; end it with a tag, such as <${name}>{${name}}</${name}>, or with one of \`markers\``
  })
}
