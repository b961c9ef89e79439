import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGates, renderGates } from './gate-grammar.ts'

describe('gates', () => {
  it.each([
    ['no', undefined, false],
    [' No. \n', undefined, false],
    ['**no**', undefined, false],
    ['no\n\ncontinue', undefined, false],
    ['no\nend', undefined, true],
    ['yes\nAnn came.\ncontinue', 'Ann came.', false],
    ['Yes.\n\n  Ann came.\n\nBob  left. \n\nEND', 'Ann came.\n\nBob  left.', true],
    ['```text\nyes\nAnn came.\nend\n```', 'Ann came.', true],
    ['yes\r\nAnn came.\r\nBob left.\rcontinue', 'Ann came.\nBob left.', false],
    // A gate between the gates is text.
    ['yes\nno\ncontinue', 'no', false],
    ['yes\nfor i in 1..3 do\nend\ncontinue', 'for i in 1..3 do\nend', false],
    ['yes\nyes\nend\nend', 'yes\nend', true],
  ])('are read from %j', (response, memory, exit) => {
    expect(parseGates(response)).toEqual({ memory, exit })
  })

  it.each([
    ['', 'does not begin with a line of yes or no'],
    ['end', 'does not begin with a line of yes or no'],
    ['Ann came.', 'does not begin with a line of yes or no'],
    ['no news', 'does not begin with a line of yes or no'],
    ['no, continue', 'does not begin with a line of yes or no'],
    ['yes: Ann came.\ncontinue', 'does not begin with a line of yes or no'],
    ['Here it is:\nyes\nAnn came.\ncontinue', 'does not begin with a line of yes or no'],
    ['<memory>\nyes\nAnn\ncontinue\n</memory>', 'does not begin with a line of yes or no'],
    ['{"update": false}', 'does not begin with a line of yes or no'],
    ['yes', 'writes no memory after yes'],
    ['yes\ncontinue', 'writes no memory after yes'],
    ['yes\n \n\nend', 'writes no memory after yes'],
    ['yes\nAnn came.', 'does not close with continue or end'],
    ['yes\nAnn came.\ncontinue reading', 'does not close with continue or end'],
    ['yes\nAnn came.\nend\nThat is all.', 'does not close with continue or end'],
    ['no\nAnn came.', 'does not close with continue or end'],
    ['no\nno', 'does not close with continue or end'],
    ['no\nAnn came.\ncontinue', 'writes a memory after no'],
    ['no\ncontinue\nend', 'writes a memory after no'],
  ])('are not in %j', (response, problem) => {
    expect(parseGates(response)).toEqual({ problem })
  })

  const line = fc.oneof(
    fc.constantFrom('yes', 'no', 'end', 'continue', '```', '<memory>', '', 'Ann came.'),
    fc.string(),
  )
  const memory = fc
    .array(line, { maxLength: 6 })
    .map((lines) => lines.join('\n').replace(/\r/g, '').trim())
    .filter((text) => text !== '')

  it('come back as they were written, whatever the memory holds', () => {
    fc.assert(
      fc.property(fc.option(memory, { nil: undefined }), fc.boolean(), (text, exit) => {
        expect(parseGates(renderGates({ memory: text, exit }))).toEqual({ memory: text, exit })
      }),
    )
  })

  it('are all there or none is: a response that ends too soon has none', () => {
    fc.assert(
      fc.property(memory, fc.nat(), (text, at) => {
        const whole = renderGates({ memory: text, exit: false })
        const cut = whole.slice(0, at % whole.length)
        // The text left may end with a line of the memory that looks like a gate.
        fc.pre(!/\n\W*(?:end|continue)\W*$/i.test(cut))
        expect(parseGates(cut)).toHaveProperty('problem')
      }),
    )
  })
})
