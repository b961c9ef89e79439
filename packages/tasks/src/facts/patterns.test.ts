import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseData } from '../data/load-data.ts'
import { createRandom } from '../random.ts'
import { nameForms, subjectClasses } from './name-forms.ts'
import { drawFromPatterns, drawParts, patterns } from './patterns.ts'

const read = (text: string) =>
  parseData(`town: |\n  ${text.replaceAll('\n', '\n  ')}\n`, z.strictObject({ town: patterns }), 'names.yaml')
    .town

describe('a pattern', () => {
  it.each([
    ['the {Noun} of {town}', /^the ,[A-Z][a-z]+, of ,[A-Z][a-z ]+$/],
    ['{ferry|yacht} {adjective}', /^(ferry|yacht), ,[a-z]+$/],
    ['order {letter}-{10-99}', /^order ,[A-Z],-,\d\d$/],
    ['"{Nouns}", {A noun}', /^",[A-Z][a-z]+s,", ,An? [A-Z][a-z]+$/],
    ['{dish} at {}the {Noun}', /^[a-z ]+, at ,the ,[A-Z][a-z]+$/],
  ])('%s has a part for every slot and for every text between slots', (line, parts) => {
    expect(drawParts(createRandom(1), read(line)[0]!).join(',')).toMatch(parts)
  })

  it('with an unknown slot is an error that names it', () => {
    expect(() => read('the {nuon}')).toThrow(/line 1: town .*"the \{nuon\}" has the unknown slot \{nuon\}/)
  })

  it('is drawn as often as each of the others', () => {
    const draw = drawFromPatterns(read('a{1-9}\nb{1-9}\nb{1-9}'))
    const drawn = Array.from({ length: 300 }, (_, i) => draw(createRandom(i)))
    expect(drawn.filter((text) => text.startsWith('a')).length).toBeGreaterThan(70)
    expect(drawn.filter((text) => text.startsWith('a')).length).toBeLessThan(130)
  })

  it('exists for every class of subjects', () => {
    for (const name of subjectClasses) expect(nameForms(name).length).toBeGreaterThan(0)
  })
})
