/** Reads fields of JSON from a server, which may contain anything. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object; an empty one when it is anything else. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A finite number; digit strings count, since some servers send them. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
}

/** A number of tokens; some servers send -1 where they do not know it. */
export function asAmount(value: unknown): number | undefined {
  const number = asNumber(value)
  return number !== undefined && number >= 0 ? number : undefined
}

/** A positive integer, such as a window. */
export function asCount(value: unknown): number | undefined {
  const number = asNumber(value)
  return number !== undefined && Number.isInteger(number) && number > 0 ? number : undefined
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
