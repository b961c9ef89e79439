import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeSettings } from './describe-settings.ts'
import { jsonSchemaOf } from './json-schema.ts'

const count = z.preprocess((given) => Number(given), z.number().int().positive())
const schema = z.strictObject({
  rows: count.default(4).describe('Rows of a page.'),
  name: z.string().describe('What it is called.'),
  prose: z.custom<object>().meta({ codeOnly: true }),
  folder: z
    .string()
    .optional()
    .meta({ description: 'Where it goes.', takes: 'the path of a folder', defaultIs: 'here' }),
  mode: z.enum(['fast', 'slow']).default('fast').describe('How.'),
  tasks: z
    .array(
      z
        .preprocess(
          (given) => (typeof given === 'string' ? { name: given } : given),
          z.strictObject({ name: z.string() }),
        )
        .meta({ shorthand: 'Its name.' }),
    )
    .default([])
    .describe('What is asked.'),
  wait: z
    .string()
    .optional()
    .meta({ description: 'How long.', written: { type: ['number', 'string'] } }),
})

describe('jsonSchemaOf', () => {
  it('is what a file may hold, also where a schema transforms it', () => {
    expect(jsonSchemaOf(schema)).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        rows: { type: 'integer', exclusiveMinimum: 0, default: 4, description: 'Rows of a page.' },
        name: { type: 'string', description: 'What it is called.' },
        folder: { type: 'string', description: 'Where it goes.' },
        mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast', description: 'How.' },
        tasks: {
          type: 'array',
          default: [],
          description: 'What is asked.',
          items: {
            anyOf: [
              { type: 'string', description: 'Its name.' },
              {
                type: 'object',
                properties: { name: { type: 'string' } },
                required: ['name'],
                additionalProperties: false,
              },
            ],
          },
        },
        wait: { type: ['number', 'string'], description: 'How long.' },
      },
      required: ['name'],
      additionalProperties: false,
    })
  })
})

describe('describeSettings', () => {
  it('says of each setting what it takes, its default and what it is for', () => {
    expect(describeSettings(schema).slice(0, 4)).toEqual([
      {
        name: 'rows',
        takes: 'a whole number of at least 1',
        default: '4',
        isRequired: false,
        description: 'Rows of a page.',
      },
      {
        name: 'name',
        takes: 'a text',
        default: undefined,
        isRequired: true,
        description: 'What it is called.',
      },
      {
        name: 'folder',
        takes: 'the path of a folder',
        default: 'here',
        isRequired: false,
        description: 'Where it goes.',
      },
      { name: 'mode', takes: '"fast" or "slow"', default: 'fast', isRequired: false, description: 'How.' },
    ])
  })
})
