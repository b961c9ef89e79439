/**
 * ROUGE-L (Lin 2004) as LongBench computes it, with the Python package `rouge` 1.0.1 at its defaults: words as written,
 * sentences end at full stops, and each word counts once per text. The overlap is the union, over all pairs of sentences, of
 * the words of their longest common subsequence.
 */

/** @returns the harmonic mean of precision and recall, 0..1; 0 when either has no sentence */
export function rougeL(answer: string, reference: string): number {
  const said = sentencesOf(answer)
  const wanted = sentencesOf(reference)
  if (said.length === 0 || wanted.length === 0) {
    return 0
  }
  const shared = new Set<string>()
  for (const one of wanted) {
    for (const other of said) {
      for (const word of commonSubsequence(one, other)) {
        shared.add(word)
      }
    }
  }
  return (2 * shared.size) / (new Set(said.flat()).size + new Set(wanted.flat()).size)
}

/** The words between full stops; white space between two full stops is one empty word. */
const sentencesOf = (text: string): string[][] =>
  text
    .split('.')
    .filter((sentence) => sentence.length > 0)
    .map((sentence) => sentence.trim().split(/\s+/))

/** Of equally long ones, the one found by walking back from the end and giving up words of `other` first. */
function commonSubsequence(one: readonly string[], other: readonly string[]): string[] {
  const width = other.length + 1
  // lengths[i * width + j]: of the longest one of the first i and j words
  const lengths = new Uint32Array((one.length + 1) * width)
  for (let i = 1; i <= one.length; i += 1) {
    for (let j = 1; j <= other.length; j += 1) {
      const at = i * width + j
      lengths[at] =
        one[i - 1] === other[j - 1]
          ? lengths[at - width - 1]! + 1
          : Math.max(lengths[at - width]!, lengths[at - 1]!)
    }
  }
  const words: string[] = []
  let [i, j] = [one.length, other.length]
  while (i > 0 && j > 0) {
    const at = i * width + j
    if (one[i - 1] === other[j - 1]) {
      words.push(one[i - 1]!)
      i -= 1
      j -= 1
    } else if (lengths[at - width]! > lengths[at - 1]!) {
      i -= 1
    } else {
      j -= 1
    }
  }
  return words
}
