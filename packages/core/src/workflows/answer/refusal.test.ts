/** What counts as a refusal, and above all what does not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readsAsRefusal } from './refusal.ts'

const refusals = [
  "I'm sorry, I can't help with that.",
  'I’m sorry, but I can’t assist with that request.',
  "I'm sorry, but I can't assist with that.",
  'I am sorry, but I cannot fulfill this request.',
  "I can't help with that.",
  'I cannot assist with requests that involve illegal activities.',
  "Sorry, I can't help you with that!",
  "I'm unable to assist with that.",
  "I'm not able to help with this.",
  "I apologize, but I can't provide instructions for that. Is there something else I can help you with?",
  'I apologize for any inconvenience, but I cannot comply with this request as it goes against my guidelines.',
  'As an AI language model, I cannot provide medical advice. Please consult a doctor.',
  "Unfortunately, I can't do that.",
  'I am unable to help.',
  'I must decline to answer.',
  '**I cannot continue this conversation.**',
  '"I\'m sorry, I can\'t help with that."',
  'I’m sorry. I can’t create content of that kind. If you have any other questions, feel free to ask.',
  'Es tut mir leid, aber dabei kann ich nicht helfen.',
  'Tut mir leid, ich kann Ihnen bei dieser Anfrage nicht helfen.',
  'Entschuldigung, das kann ich nicht beantworten.',
  'Je suis désolé, mais je ne peux pas vous aider avec cela.',
  'Désolée, je ne peux pas répondre à cette demande.',
  'Lo siento, pero no puedo ayudarte con eso.',
  'Mi dispiace, ma non posso aiutarti.',
  'Desculpe, mas não posso ajudar com isso.',
  'Sinto muito, não posso fornecer isso.',
  '很抱歉，我无法帮助您完成这个请求。',
  '对不起，我不能回答这个问题。',
  '申し訳ありませんが、そのご依頼にはお応えできません。',
  'すみません、お手伝いできません。',
]

const notes = [
  '',
  'No previous memory',
  'The clerk said: "I\'m sorry, I can\'t help with that."',
  '"I\'m sorry, I can\'t help with that," said the clerk, and closed the window.',
  "I'm sorry, I can't help with that. The access code of the North Gate is 48213.",
  "The chatbot answered I can't help with that in 14 of 20 trials.",
  'Anna apologised to Tom for being late. Tom could not help with the harvest.',
  "Policy: agents begin with I'm sorry, and never say I can't help with that.",
  'Refusals such as "I cannot assist with that request" are counted as wrong.',
  'In the film the computer says that it is afraid it cannot do that.',
  'I cannot answer the question, because the section does not mention the gate.',
  'I am unable to answer based on the provided memory.',
  "I can't open the door, the key is with Anna.",
  'I could not come on Monday. I came on Tuesday.',
  'Sorry, Tom lives in Leeds.',
  'Unfortunately, the ship sank in 1843.',
  'I apologize for the late reply: the invoice number is 1187.',
  'Leider ist das Schiff 1843 gesunken.',
  'Der Beamte sagte, dass er dabei nicht helfen könne.',
  'Le clerc a dit: « je suis désolé, je ne peux pas vous aider ».',
  'El guardia dijo que no podía ayudar.',
  '店员说：“很抱歉，我无法帮助您。”',
  '\\boxed{4711}',
  'We cannot provide refunds after 30 days.',
  'We are unable to process orders on Sunday.',
  'I cannot answer this question because the code is not given.',
  'Unfortunately, I cannot provide the name, which is never mentioned.',
]

describe('a refusal', () => {
  it.each(refusals)('is %j', (text) => {
    expect(readsAsRefusal(text)).toBe(true)
    expect(readsAsRefusal(`\n ${text} \n`)).toBe(true)
  })

  it.each(notes)('is not %j', (text) => {
    expect(readsAsRefusal(text)).toBe(false)
  })

  const word = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    minLength: 2,
    maxLength: 9,
  })
  const fact = fc
    .tuple(word, word, fc.integer({ min: 10, max: 99_999 }))
    .map(([who, what, number]) => `The ${who} of ${what} is ${number}.`)

  it('is not a text that also states a fact, before or after', () => {
    fc.assert(
      fc.property(fc.constantFrom(...refusals), fact, fc.boolean(), (refusal, statement, isBefore) => {
        const text = isBefore ? `${statement} ${refusal}` : `${refusal.replace(/[*"]/g, '')} ${statement}`
        expect(readsAsRefusal(text)).toBe(false)
      }),
    )
  })

  it('is not a text that reports one', () => {
    const frames = [
      'She said: X',
      'X, said the clerk of Leeds.',
      'The manual tells agents to say X',
      'Note: X (page 4)',
    ]
    fc.assert(
      fc.property(fc.constantFrom(...refusals), fc.constantFrom(...frames), (refusal, frame) => {
        expect(readsAsRefusal(frame.replace('X', `"${refusal}"`))).toBe(false)
      }),
    )
  })

  it('is detected in linear time', () => {
    const started = performance.now()
    const parts = [
      "i'm sorry, but ",
      "i can't help ",
      'sorry ',
      'unfortunately ',
      'ich kann bei ',
      ' nicht ',
      '很抱歉',
    ]
    for (const part of parts) {
      for (const length of [399, 799, 100_000]) readsAsRefusal(part.repeat(length).slice(0, length))
    }
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
