/** Words that show what a text is about. */

/** Words of at least four letters that carry no meaning of their own; shorter words are ignored by length. */
const functionWords = new Set(
  (
    'about above after again against also although among because been before being below between both could does doing ' +
    'done down during each either else even ever every from further have having hence here however into itself just less ' +
    'like many might more most much must neither never none only other ours over quite rather same shall should since some ' +
    'still such than that their theirs them then there these they this those though through thus till under until upon ' +
    'very were what when where whether which while whom whose will with within without would your yours'
  ).split(' '),
)

/** Lower-case words, in order. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Words of at least four letters that are not function words, anything with a digit, and words of other scripts. */
export function contentWords(text: string): Set<string> {
  const isContent = (word: string) => (word.length >= 4 && !functionWords.has(word)) || /[^a-z]/.test(word)
  return new Set(wordsOf(text).filter(isContent))
}
