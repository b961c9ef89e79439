/**
 * "Not in the text" in other words: "The memory does not contain the answer." No list of them is complete, and a real answer may
 * look like one, so a match only casts doubt.
 */
import { notFoundPhrase } from './boxed.ts'

/** A few words within one sentence. */
const few = '[^.!?;]{0,60}?'

const english = {
  source:
    '(?:memory|memories|text|section|notes?|article|document|passage|context|information|excerpt|source)\\b',
  say: '(?:answer|contain|describe|disclose|give|have|hold|identify|include|indicate|list|mention|name|note|provide|reveal|say|show|specify|state|tell)',
  said: '(?:answered|contained|described|found|given|identified|mentioned|named|provided|revealed|said|shown|specified|stated|told)',
}
const german = {
  source: '(?:text|abschnitt|gedächtnis|speicher|erinnerung|notizen|artikel|dokument|passage|kontext|quelle)',
  says: '(?:beantworte[nt]|enth(?:ä|ae)lt|enthalten|erw(?:ä|ae)hn(?:t|en)|gibt|nenn(?:t|en)|sag(?:t|en)|steht)',
}
const french = '(?:texte|mémoire|section|notes?|article|document|passage|contexte|extrait)'
const spanish = '(?:texto|memoria|sección|notas?|artículo|documento|pasaje|contexto|fragmento)'
const italian = '(?:testo|memoria|sezione|note|articolo|documento|brano|contesto)'
const portuguese = '(?:texto|memória|seção|secção|notas?|artigo|documento|trecho|contexto)'
const chinese = '(?:文本|文章|原文|正文|文中|记忆|記憶|章节|章節|笔记|筆記|段落|资料|資料)'
const japanese = '(?:テキスト|本文|文章|文中|記憶|メモリ|メモ|セクション|資料)'

/** Matched against lower-case text with plain quotes and single spaces. */
const patterns = [
  `\\b${english.source}${few} (?:(?:do|does|did)(?: not|n't)|cannot|can't|never)(?: \\S+)? ${english.say}s?\\b`,
  `\\b${english.source}${few} (?:contains?|gives?|has|have|holds?|includes?|mentions?|provides?|says?) (?:no|nothing)\\b`,
  `\\b(?:no|not|nothing|nowhere|never ${english.said}|isn't|wasn't|aren't)\\b${few} (?:by|from|in|within) (?:(?:any|my|the|this|these)(?: \\S+){0,2} )?${english.source}`,
  `^(?:it |this |that |the answer )?(?:is |was )?(?:not|never) (?:explicitly |directly )?${english.said}$`,

  `\\bnicht\\b${few} (?:im|in (?:der|den|dem|diesem|dieser))(?: \\S+){0,2} ${german.source}`,
  `\\b${german.source}${few} ${german.says}${few} (?:kein\\S*|nicht|nichts)\\b`,

  `\\b(?:pas|aucune? \\S+|rien|nulle part)\\b${few} dans (?:l'|(?:la|le|les|ce|cet|cette)(?: \\S+)? )${french}`,
  `${french}${few} (?:ne |n')\\S+${few} (?:pas|rien|aucune?)\\b`,

  `\\bno\\b${few} en (?:el|la|las|este|esta)(?: \\S+)? ${spanish}`,
  `${spanish}${few} no (?:contienen?|dan?|dicen?|especifican?|incluyen?|indican?|mencionan?|proporcionan?|responden?)(?= |$)`,

  `\\bnon\\b${few} (?:nell[ao] |nelle |nell'|nel |in questo )(?:\\S+ )?${italian}`,
  `${italian}${few} non (?:contengono|contiene|dice|dicono|fornisce|indica|menziona|riporta|risponde|specifica)\\b`,

  `\\bnão\\b${few} (?:no|na|nas|neste|nesta)(?: \\S+)? ${portuguese}`,
  `${portuguese}${few} não (?:contém|diz|especifica|fornece|inclui|indica|menciona|responde)(?= |$)`,

  `不在(?:该|這|这|本)?(?:文|${chinese})`,
  `${chinese}[中里裡内內]?[^。！？]{0,12}(?:没有|沒有|未|无|無|不包含|不含)`,
  `(?:没有|沒有|未|并未|並未)(?:在)?${chinese}?中?(?:提及|提到|说明|說明)`,

  `${japanese}[^。！？]{0,20}(?:ありません|ません|(?:い|れ|は|が)ない|無い|記載なし)`,
].map((pattern) => new RegExp(pattern, 'u'))

/** A longer answer says something else, too. */
const longest = 200

/** Whether a short answer says that there is no answer. @param answer plain text, without LaTeX */
export function readsAsAbsence(answer: string): boolean {
  if (answer.length > 2 * longest) return false
  const text = answer
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\s~]+/g, ' ')
    .replace(/^[\p{P}\p{S} ]+|[\p{P}\p{S} ]+$/gu, '')
  if (text.length > longest) return false
  return text.includes(notFoundPhrase) || patterns.some((pattern) => pattern.test(text))
}
