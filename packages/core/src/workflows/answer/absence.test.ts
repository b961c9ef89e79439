/** Ways of saying "not in the text" in other words, and answers that only look like one. */
import { describe, expect, it } from 'vitest'
import { readsAsAbsence } from './absence.ts'
import { judgeResponse } from './final-answer.ts'

const absences = [
  'The answer is not in the text',
  'a treasure not in the text of the law',
  'not in the memory',
  'Not mentioned in the provided section.',
  'It is not explicitly stated in the notes.',
  'The memory does not contain the answer.',
  'The memory doesn’t say who the keeper is.',
  'The section never mentions a keeper.',
  'It is never mentioned in the text.',
  'The text about the lighthouse does not explicitly name its keeper',
  'The memory contains no information about the keeper',
  'The notes say nothing about it.',
  'There is no mention of a keeper in the memory.',
  'Nothing in the text tells.',
  'not mentioned',
  'Not stated.',
  'nicht im Text',
  'Steht nicht in den Notizen.',
  'Nicht im vorliegenden Abschnitt genannt',
  'Der Text enthält keine Antwort.',
  'Der Abschnitt erwähnt den Wärter nicht.',
  'pas dans le texte',
  'Ce n’est pas mentionné dans la mémoire.',
  'Le texte ne mentionne pas le gardien.',
  'No está en el texto',
  'La memoria no contiene la respuesta.',
  'non è nel testo',
  'Il testo non menziona il guardiano.',
  'não está no texto',
  'A memória não contém a resposta.',
  '不在文中',
  '不在文本中',
  '文中没有提到',
  '记忆中没有相关信息。',
  '未提及',
  '本文には記載されていません',
]

const answers = [
  'Ann Hale',
  'Not In Nottingham',
  'No',
  'None',
  'no one',
  'Never',
  'never seen in the text of the law',
  '-5',
  '~42 km',
  'Text of the law',
  'The memory of Ann Hale',
  'He does not live in Leeds any more.',
  'Because the section of the wall fell.',
  'The notes were found in the cellar.',
  'in the text of 1843',
  'The article says that she left; the dog does not bark.',
  'Notation',
  'Ann mentioned it in a letter',
  'nicht vor Montag',
  'im Text von 1843',
  'pas avant lundi',
  'no antes del lunes',
  'non prima di lunedì',
  '文中',
  '不是',
  'テキスト',
]

describe('an absence in other words', () => {
  it.each(absences)('is %j', (text) => {
    expect(readsAsAbsence(text)).toBe(true)
  })

  it.each(answers)('is not %j', (text) => {
    expect(readsAsAbsence(text)).toBe(false)
  })

  it('is not looked for in a long answer, and takes linear time', () => {
    const start = performance.now()
    const parts = ['text does ', 'not in the ', 'texte ne ', '文中', 'no ', '!', 'nicht im ']
    for (const part of parts)
      for (const length of [199, 399, 100_000]) readsAsAbsence(part.repeat(length).slice(0, length))
    expect(readsAsAbsence(`The memory does not contain it. ${'Ann came. '.repeat(20)}`)).toBe(false)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('a box', () => {
  const judged = (text: string) =>
    judgeResponse({ text, usage: undefined, finishReason: { unified: 'stop', raw: 'stop' } })

  it.each([
    '\\boxed{Not in the text!}',
    '\\boxed{(not in the text)}',
    '\\boxed{\\textsf{not in the text}}',
    '\\boxed{\\mathsf{not~in~the~text}}',
    '\\boxed{\\text{not in the text}…}',
  ])('%j is plainly not found', (text) => {
    expect(judged(text)).toMatchObject({ answer: { text: '', outcome: 'not-found' }, doubts: [] })
  })

  it.each(absences)('that says %j is never plainly found', (text) => {
    const { answer, doubts } = judged(`It is \\boxed{${text}}.`)
    expect(answer).toMatchObject({ text, outcome: 'unsure' })
    expect(doubts.map(({ code }) => code)).toEqual(['answer-absent'])
  })

  it.each(['\\textsf{Ann}', '\\mathsf{Ann}', '\\textsc{Ann}', '\\textnormal{Ann}'])(
    '%j holds a name',
    (text) => {
      expect(judged(`\\boxed{${text}}`).answer).toMatchObject({ text: 'Ann', outcome: 'found' })
    },
  )
})
