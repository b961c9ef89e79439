import { describe, expect, it } from 'vitest'
import { parseReport } from './report-grammar.ts'

describe('a report', () => {
  it.each([
    'no',
    'No.',
    ' NO\n',
    '**no**',
    '"No."',
    '<check>no</check>',
    '<check> No </check>\n',
    '**<check>no</check>**',
  ])('%j has no news', (response) => {
    expect(parseReport(response)).toEqual({ news: undefined })
  })

  it.each([
    ['yes\nAnn came.', 'Ann came.'],
    ['Yes: Ann came.\nBob left.', 'Ann came.\nBob left.'],
    ['yes Ann came.', 'Ann came.'],
    ['Yes, Ann came.', 'Ann came.'],
    ['**Yes**\n\n- Ann came.\n- Bob left.', '- Ann came.\n- Bob left.'],
    ['<check>yes</check>\nAnn came.', 'Ann came.'],
    ['<CHECK>Yes</CHECK> Ann came.', 'Ann came.'],
    ['yes\nNo gate is open.', 'No gate is open.'],
    ['yes\n<check>no</check>', '<check>no</check>'],
    ['yes\n-3 degrees', '-3 degrees'],
  ])('%j has news', (response, news) => {
    expect(parseReport(response)).toEqual({ news })
  })

  it.each([
    ['', 'begins with neither'],
    ['Ann came.', 'begins with neither'],
    ['The section says no.', 'begins with neither'],
    ['Nothing new.', 'begins with neither'],
    ['Not really.', 'begins with neither'],
    ['Yesterday Ann came.', 'begins with neither'],
    ['north gate', 'begins with neither'],
    ['no1', 'begins with neither'],
    ['<check>maybe</check>', 'begins with neither'],
    ['{"check": "no"}', 'begins with neither'],
    ['No, but Ann came.', 'says "no", and more'],
    ['No new information.', 'says "no", and more'],
    ['no\nAnn came.', 'says "no", and more'],
    ['<check>no</check> Ann came.', 'says "no", and more'],
    ['yes', 'without any details'],
    ['Yes.', 'without any details'],
    ['<check>yes</check>\n', 'without any details'],
  ])('%j is malformed', (response, problem) => {
    expect(parseReport(response)).toEqual({ problem: expect.stringContaining(problem) })
  })
})
