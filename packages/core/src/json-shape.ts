/** Checks that JSON from elsewhere has the shape of a type; every check reports what is wrong, with its path. */

/** What is wrong with the value, or undefined. */
export type Shape = (value: unknown, path: string) => string | undefined

const shape =
  (isRight: (value: unknown) => boolean, wanted: string): Shape =>
  (value, path) =>
    isRight(value) ? undefined : `${path} is ${shown(value)}, not ${wanted}`

export const aText = shape((value) => typeof value === 'string', 'a text')
export const aFlag = shape((value) => typeof value === 'boolean', 'true or false')
export const aCount = shape(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'a whole number of at least 0',
)
export const anAmount = shape(
  (value) => Number.isFinite(value) && (value as number) >= 0,
  'a number from 0 on',
)
export const aNumber = shape((value) => Number.isFinite(value), 'a number')
/** Any value but undefined. */
export const anything = shape((value) => value !== undefined, 'a value')

/** The names are the allowed values; the type keeps the list complete. */
export function oneOf<Value extends string>(values: { readonly [Name in Value]: true }): Shape {
  const names = Object.keys(values)
  return shape((value) => names.includes(value as string), `one of ${names.join(', ')}`)
}

export const optional =
  (inner: Shape): Shape =>
  (value, path) =>
    value === undefined ? undefined : inner(value, path)

export const nullable =
  (inner: Shape): Shape =>
  (value, path) =>
    value === null ? undefined : inner(value, path)

export const listOf =
  (item: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} is ${shown(value)}, not a list`
    return value.map((one, i) => item(one, `${path}[${i}]`)).find((problem) => problem !== undefined)
  }

/** An object with these fields and no others; the type keeps the list complete. */
export const objectOf =
  <Type>(shapes: { readonly [Name in keyof Type]-?: Shape }): Shape =>
  (value, path) => {
    if (!isObject(value)) return `${path} is ${shown(value)}, not an object`
    const within = (name: string) => (path === '' ? name : `${path}.${name}`)
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(shapes, name))
    if (unknown !== undefined) return `${within(unknown)} is not known`
    return Object.entries<Shape>(shapes)
      .map(([name, inner]) => inner(value[name], within(name)))
      .find((problem) => problem !== undefined)
  }

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A short form of the value found. */
function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'missing'
  return json.length > 40 ? `${json.slice(0, 40)}...` : json
}
