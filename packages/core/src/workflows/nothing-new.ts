/**
 * "Nothing new" in a model's own words, where the whole memory was to be written again: "No new relevant information was found in
 * this section; the memory stays unchanged." Taken for the memory, it would erase all notes.
 */

const about = '(?:information|info|details?|facts?|data|evidence|content|material|updates?|changes?)'
const kind = '(?:new|further|additional|more|other|relevant|useful|pertinent|significant|specific)'
const memory = '(?:the |my |all )?(?:previous |current |existing |old |updated )?(?:memory|memories|notes?)'
const section =
  '(?:the |this )?(?:new |current |provided |given )?(?:section|text|passage|chunk|part|excerpt)'
const done =
  '(?:added|available|contained|found|given|identified|included|learned|mentioned|needed|noted|present|provided|required)'
/** The rest of the sentence: where nothing was found, or about what. */
const rest = `(?: (?:was|were|is|are|has been|have been|can be|could be) ${done})?(?: (?:about|after|concerning|for|from|in|on|regarding|related to|relevant to|to|within) [^:,]{1,80})?`
/** What follows these words may be news after all. */
const exception =
  /\b(?:although|apart|aside|besides?|but|except\w*|however|instead|now|only|other than|since|though|unless|while)\b|除|但|不过|不過/u

/** Each matches a whole sentence in lower case, without what ends it. */
const sentences = [
  `(?:there (?:is|are|was|were) )?no (?:${kind}(?:,| and| or)? )+${about}${rest}`,
  `(?:there (?:is|was) )?nothing (?:new|further|else|relevant|useful|to (?:add|note|update))${rest}`,
  `no (?:changes?|updates?)(?: (?:is|are|was|were|needed|required|necessary|made|to ${memory}|at this time))*`,
  `${memory} (?:therefore )?(?:remains?|stays?|is|are|was|were|has been|have been|is kept|is left)(?: left| kept)? (?:unchanged|the same|as (?:it|they) (?:is|are|was|were))${rest}`,
  `(?:so |therefore )?i(?: will|'ll)? (?:keep|leave) ${memory} (?:unchanged|as (?:it|they) (?:is|are))`,
  `${section} (?:does not|doesn't|did not|didn't) (?:contain|provide|mention|add|include|give|offer|have) (?:any )?(?:${kind}(?:,| and| or)? )*${about}${rest}`,
  `${section} (?:contains|provides|adds|includes|gives|offers|has) (?:no(?: ${kind})* ${about}\\b|nothing(?: ${kind})+)${rest}`,
  '(?:本|该|該|这|這|此)?(?:节|節|章节|章節|部分|段落?|文本)?(?:中)?(?:没有|沒有|未|并未|並未)(?:提供|包含|提到|发现|發現)?(?:任何)?(?:(?:新|相关|相關|更多|有用)的?)+(?:信息|資訊|内容|內容|细节|細節|线索|線索)',
  '(?:记忆|記憶|笔记|筆記)(?:内容|內容)?(?:保持)?不[变變]',
].map((pattern) => new RegExp(`^${pattern}$`, 'u'))

/** A longer text says something else, too. */
const longest = 300

/** Whether a text says only that. A text with a digit may state a fact, and never does. */
export function saysNothingNew(text: string): boolean {
  if (text.length > longest || /\d/.test(text) || exception.test(text.toLowerCase())) return false
  const parts = text
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .split(/[.!;\n。！；]|, (?:so|and|therefore) /u)
    .map((part) => part.replace(/\s+/g, ' ').replace(/^[\p{P}\p{S} ]+|[\p{P}\p{S} ]+$/gu, ''))
    .filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => sentences.some((sentence) => sentence.test(part)))
}
