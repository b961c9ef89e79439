/** The little English grammar that composed names and sentences need. Made for the word lists here, not for all of English. */

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Whether a word takes `an`: by its sound, as far as the spelling shows it. */
export const takesAn = (word: string): boolean =>
  /^([aeio]|u(?!ni|kul|se|ti))/i.test(word) && !/^(one|eu|ewe)/i.test(word)

export const withIndefiniteArticle = (noun: string): string => `${takesAn(noun) ? 'An' : 'A'} ${noun}`

export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) {
    return `${noun.slice(0, -1)}ies`
  }
  if (/(s|x|z|ch|sh)$/.test(noun)) {
    return `${noun}es`
  }
  return /(?<!ee|f|o)f$/.test(noun) ? `${noun.slice(0, -1)}ves` : `${noun}s`
}
