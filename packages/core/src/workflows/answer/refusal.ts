/**
 * Refusals in words: "I'm sorry, I can't help with that." Only a short response that says nothing else counts, so that a
 * note about somebody's apology stays a note.
 */

/** Sources of patterns for lower-case text with plain quotes and single spaces. */
interface RefusalForms {
  /** What may precede the refusal, with the word that may join them. */
  readonly opening: string
  readonly but: string
  readonly refusal: string
  /** Sentences that may follow, any number of them. */
  readonly closing: string
}

const rest = '[^.!?:"“”«»]{0,160}'

/** The usual forms of hosted and open instruction-tuned models, by language. */
const forms: Readonly<Record<string, RefusalForms>> = {
  english: {
    opening:
      "(?:(?:i'm|i am) (?:\\w+ )?sorry|sorry|(?:my )?apologies|i (?:sincerely )?apologi[sz]e(?: for [^.!?,]{0,60})?|unfortunately|i'm afraid(?: that)?|as an? (?:ai|artificial intelligence|language)[^.!?,]{0,40}|i understand[^.!?]{0,80}|thank you for [^.!?]{0,60})",
    but: 'but|however,?|and',
    refusal: `(?:i (?:can't|cannot|can not|could not|couldn't|won't|will not|must decline to|have to decline to|(?:'m|am) (?:unable|not able|not allowed|not permitted|not in a position) to|(?:'m|am) (?:not )?(?:going|programmed) to)|i'm (?:unable|not able|not allowed|not permitted) to) (?:help|assist|comply|fulfil|fulfill|answer|respond|provide|continue|engage|discuss|support|process|complete|create|generate|write|do (?:that|this)|share|offer|participate)\\b${rest}`,
    closing: `(?:is there (?:anything|something) (?:else|different)|(?:please )?let me know|if (?:you|there)|please (?:feel free|ask|try|consult|contact|provide)|feel free|how (?:else )?(?:can|may) i|can i help|i(?:'d| would) be (?:happy|glad)|i(?:'m| am) (?:here|happy|glad)|it (?:goes against|violates|is against)|this (?:request |content )?(?:goes against|violates|is against)|my (?:guidelines|purpose|programming))${rest}`,
  },
  german: {
    opening: '(?:(?:es )?tut mir (?:sehr )?leid|entschuldigung|entschuldigen sie|leider|als ki[^.!?,]{0,40})',
    but: 'aber|jedoch',
    refusal: `(?:(?:das|dabei|damit|hierbei|diese (?:anfrage|frage)|bei dieser (?:anfrage|frage)) (?:kann|darf) ich (?:\\w+ )?(?:leider )?nicht (?:weiterhelfen|helfen|beantworten|tun|erfüllen|unterstützen)|(?:ich )?(?:kann|darf)(?: ich)? (?:\\w+ )?(?:leider )?(?:bei |dabei |damit |diese |dieser |auf )${rest}nicht (?:weiterhelfen|helfen|beantworten|erfüllen|unterstützen|eingehen))`,
    closing: `(?:kann ich (?:\\w+ )?(?:sonst|anders)|wenn (?:du|sie)|gibt es (?:noch )?(?:etwas|sonst)|bitte)${rest}`,
  },
  french: {
    opening:
      "(?:(?:je suis |je suis vraiment )?désolée?|malheureusement|je m'excuse|en tant qu'(?:ia|intelligence)[^.!?,]{0,40})",
    but: 'mais',
    refusal: `je (?:ne peux pas|ne peux|ne suis pas (?:en mesure|autorisée?|capable) (?:de|à)) (?:vous |t')?(?:y )?(?:aider|répondre|fournir|satisfaire|traiter|continuer|faire cela)\\b${rest}`,
    closing: `(?:puis-je|si vous|n'hésitez pas|y a-t-il)${rest}`,
  },
  spanish: {
    opening:
      '(?:lo siento(?: mucho)?|lo lamento|disculpa|disculpe|desafortunadamente|lamentablemente|como (?:una )?ia[^.!?,]{0,40})',
    but: 'pero',
    refusal: `no (?:puedo|me es posible|estoy (?:autorizad[oa]|en condiciones) (?:a|para|de)) (?:ayudar(?:te|le)?|asistir(?:te|le)?|responder|cumplir|proporcionar|continuar|hacer eso)\\b${rest}`,
    closing: `(?:¿?(?:hay|puedo|en qué)|si (?:tienes|tiene|necesitas|necesita)|por favor)${rest}`,
  },
  italian: {
    opening: '(?:mi dispiace|spiacente|purtroppo|mi scuso|come (?:una )?ia[^.!?,]{0,40})',
    but: 'ma',
    refusal: `non posso (?:aiutar(?:ti|la|vi|e)|assister(?:ti|la|e)|rispondere|soddisfare|fornire|continuare|farlo)\\b${rest}`,
    closing: `(?:posso|c'è|se (?:hai|ha|avete)|fammi sapere)${rest}`,
  },
  portuguese: {
    opening: '(?:(?:eu )?(?:sinto muito|lamento)|desculpe?|infelizmente|como (?:uma )?ia[^.!?,]{0,40})',
    but: 'mas',
    refusal: `(?:eu )?não (?:posso|consigo) (?:ajudar|ajudá-l[oa]|te ajudar|responder|atender|fornecer|continuar|fazer isso)\\b${rest}`,
    closing: `(?:posso|há|se (?:você|tiver|precisar)|por favor)${rest}`,
  },
  chinese: {
    opening:
      '(?:(?:很|非常|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾)|作为(?:一个)?(?:ai|人工智能)[^。！？，]{0,20})',
    but: '但(?:是)?|不过',
    refusal:
      '我(?:无法|無法|不能|没办法)(?:帮助|幫助|协助|協助|回答|提供|满足|滿足|继续|完成|讨论|处理)[^。！？“”"「」]{0,60}',
    closing: '(?:如果(?:你|您)|请|請|还有|有什么)[^。！？“”"「」]{0,60}',
  },
  japanese: {
    opening:
      '(?:(?:大変)?申し訳(?:ありません|ございません)(?:が)?|すみません(?:が)?|ごめんなさい|残念ながら)',
    but: 'ですが',
    refusal:
      '[\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}ー]{0,40}(?:お手伝い|お答え|回答|対応|お応え|ご提供|提供)(?:することは|することが|は)?(?:できません|できかねます|いたしかねます)',
    closing: '(?:他に|ほかに|何か|もし)[^。！？“”"「」]{0,60}',
  },
}

const end = '[.!?。！？]* ?'
const patterns = Object.values(forms).map(
  ({ opening, but, refusal, closing }) =>
    new RegExp(
      `^(?:${opening}[,.!;，、。！]? ?(?:(?:${but}) ?)?){0,3}(?:${refusal})${end}(?:${closing}${end}){0,3}$`,
      'u',
    ),
)

/** A statement that the text lacks an answer is not a refusal, and one with numbers states a fact. */
const saysMore =
  /\d|\b(?:not|never|isn't|wasn't|nowhere) (?:\w+ )?(?:given|known|mentioned|named|provided|said|specified|stated)\b|\b(?:section|text|memory|article|document|passage|context|excerpt|abschnitt|texte?|textes|texto|testo|mémoire)\b/

/** A longer response says something else, too. */
const longest = 400

/** Whether the whole response declines to do what was asked. */
export function readsAsRefusal(response: string): boolean {
  if (response.length > 2 * longest) return false
  const text = response
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'*_`“”]+|[\s"'*_`“”]+$/g, '')
  if (text.length > longest || saysMore.test(text)) return false
  return patterns.some((pattern) => pattern.test(text))
}
