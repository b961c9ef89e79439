import { ConfigurationError, DocumentError, TaskError } from '@memagent/core'
import { EngineError } from '@memagent/engine'
import { describe, expect, it } from 'vitest'
import { Interruption, report, UsageError } from './failures.ts'

const exitCodeOf = (error: unknown) =>
  report(error, {
    ...{ stdin: [] as never, environment: {} },
    ...{ stdout: { write: () => 0 }, stderr: { write: () => 0 } },
  })

describe('the exit code', () => {
  it.each([
    [new UsageError({ code: 'cli/bad-option', message: 'x' }), 2],
    [new ConfigurationError({ code: 'workflow/unknown', message: 'x' }), 2],
    [new ConfigurationError({ code: 'train/config', message: 'x' }), 2],
    [new TaskError({ code: 'task/bad-option', message: 'x' }), 2],
    [new TaskError({ code: 'task/document-too-short', message: 'x' }), 1],
    [new EngineError({ code: 'engine/bad-option', message: 'x' }), 2],
    [new EngineError({ code: 'engine/closed', message: 'x' }), 1],
    [new ConfigurationError({ code: 'file/locked', message: 'x' }), 1],
    [new ConfigurationError({ code: 'chat/module-failed', message: 'x' }), 1],
    [new DocumentError({ code: 'document/unreadable', message: 'x' }), 1],
    [new Error('x'), 1],
    [new Interruption('x'), 130],
  ])('of %s', (error, code) => {
    expect(exitCodeOf(error)).toBe(code)
  })
})

describe('an interruption', () => {
  it.each([
    [
      { json: true },
      { outcome: 'failed', error: { code: 'interrupted', message: 'Interrupted.', hint: 'Go on.' } },
    ],
    [{ events: true }, { type: 'failure', outcome: 'failed', error: { code: 'interrupted' } }],
  ])('is told as JSON with %j', (flags, told) => {
    const written: string[] = []
    const terminal = {
      ...{ stdin: [] as never, stderr: { write: () => 0 }, environment: {} },
      stdout: { write: (text: string) => written.push(text) },
    }
    report(new Interruption('x'), terminal, flags, { resumeHint: 'Go on.' })
    expect(JSON.parse(written.join(''))).toMatchObject(told)
  })
})

it('with MEMAGENT_DEBUG, the stacks of an error and of its causes are printed', () => {
  const written: string[] = []
  const cause = Object.assign(new Error('no key'), { stack: 'at mine.ts:3' })
  const stack = (environment: Record<string, string>) => {
    written.length = 0
    const stderr = { write: (text: string) => written.push(text) }
    const terminal = { stdin: [] as never, stdout: { write: () => 0 }, stderr, environment }
    report(new TaskError({ code: 'task/failed', message: 'x', cause }), terminal)
    return written.join('')
  }
  expect(stack({ MEMAGENT_DEBUG: '1' })).toMatch(/TaskError: x\n +at [\s\S]*\ncaused by: at mine\.ts:3\n/)
  expect(stack({})).not.toContain('at mine.ts:3')
})
