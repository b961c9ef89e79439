/** The longest prefix or suffix of a text under a token cap, cut between characters. */

type Count = (text: string) => number | Promise<number>

export const longestPrefix = (text: string, maxTokens: number, count: Count): Promise<string> =>
  longestPart(text, maxTokens, count, (length) => text.slice(0, boundaryBefore(text, length)))

export const longestSuffix = (text: string, maxTokens: number, count: Count): Promise<string> =>
  longestPart(text, maxTokens, count, (length) => text.slice(boundaryAfter(text, text.length - length)))

/** Tries growing lengths before bisecting, to avoid counting a long text repeatedly. */
async function longestPart(
  text: string,
  maxTokens: number,
  count: Count,
  part: (length: number) => string,
): Promise<string> {
  let [fits, tooLong] = [0, text.length + 1]
  let length = Math.min(text.length, Math.max(16, maxTokens * 4))
  while (tooLong - fits > 1) {
    if ((await count(part(length))) <= maxTokens) fits = length
    else tooLong = length
    length = tooLong > text.length ? Math.min(text.length, fits * 2 + 1) : Math.floor((fits + tooLong) / 2)
  }
  return part(fits)
}

const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00
const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800

/** This position, or the previous one if it is inside a surrogate pair. */
const boundaryBefore = (text: string, at: number) =>
  isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at)) ? at - 1 : at

const boundaryAfter = (text: string, at: number) =>
  isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at)) ? at + 1 : at
