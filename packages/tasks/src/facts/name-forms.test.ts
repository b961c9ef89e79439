import { describe, expect, it } from 'vitest'
import { parseData } from '../data/load-data.ts'
import { createRandom } from '../random.ts'
import { nameForms, nameTable, subjectClasses } from './name-forms.ts'

const read = (form: string) =>
  parseData(subjectClasses.map((name) => `${name}: '${form}'\n`).join(''), nameTable, 'names.yaml').town[0]!
const draw = (form: string) =>
  read(form).map((part) => (typeof part === 'string' ? part : part(createRandom(1))))

describe('the form of a name', () => {
  it.each([
    ['the {Noun} of {town}', /^the ,[A-Z][a-z]+, of ,[A-Z][a-z ]+$/],
    ['{ferry|yacht} {adjective}', /^(ferry|yacht), ,[a-z]+$/],
    ['order {letter}-{10-99}', /^order ,[A-Z],-,\d\d$/],
    ['"{Nouns}", {A noun}', /^",[A-Z][a-z]+s,", ,An? [A-Z][a-z]+$/],
    ['{dish} at {}the {Noun}', /^[a-z ]+, at ,the ,[A-Z][a-z]+$/],
  ])('%s has a part for every slot, and for every text between them', (form, parts) => {
    expect(draw(form).join(',')).toMatch(parts)
  })

  it('with an unknown slot is an error that names it', () => {
    expect(() => read('the {nuon}')).toThrow(/line \d+: .*"the \{nuon\}" has the unknown slot \{nuon\}/)
  })

  it('is there for every class of subjects', () => {
    for (const name of subjectClasses) expect(nameForms(name).length).toBeGreaterThan(0)
  })
})
