import { ChatError, MemAgentError } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { createLog, type LogForm } from './serve-log.ts'

const line = {
  method: 'POST',
  route: '/v1/messages',
  status: 200,
  ms: 12.345,
  client: 'team\u001b[2J',
  run: '3f2a',
}

function logged(form: LogForm): string {
  const written: string[] = []
  const log = createLog(form, { write: (text) => written.push(text) }, () => 0)
  log.onRequest?.(line)
  log.onFailure(
    new MemAgentError({
      code: 'chat/failed',
      message: 'http://user:secret@host/v1 did not answer\n{"level":"info"}',
    }),
  )
  return written.join('')
}

describe('a log', () => {
  it('as text has one line for each, and steers no terminal', () => {
    const [request, failure, ...rest] = logged('text').split('\n')
    expect(request).toMatch(/^1970-01-01T00:00:00\.000Z POST \/v1\/messages 200 12 ms key team\S* run 3f2a$/)
    expect(failure).toMatch(/^1970-01-01T00:00:00\.000Z failed: chat\/failed: .* did not answer/)
    expect(rest).toEqual([''])
    expect(logged('text')).not.toContain('\u001b')
    expect(logged('text')).not.toContain('secret')
  })

  it('as JSON has one object for each', () => {
    const [request, failure] = logged('json')
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one))
    expect(request).toEqual({ time: '1970-01-01T00:00:00.000Z', level: 'info', ...line, ms: 12.3 })
    expect(failure).toMatchObject({ level: 'error', code: 'chat/failed' })
    expect(JSON.stringify(failure)).not.toContain('secret')
  })

  it('has nothing of what a server said, which may repeat the text that it was sent', () => {
    const details = { url: 'http://host/v1/chat/completions', status: 422, serverCode: 'too_long' }
    const message = 'The server rejected the request (422): input: "The key is 48213."'
    const error = new ChatError({ code: 'chat/rejected', message, details })
    for (const form of ['text', 'json', 'none'] as const) {
      let written = ''
      createLog(form, { write: (text) => (written += text) }, () => 0).onFailure(error)
      expect(written).toContain(
        "The model's server at http://host/v1/chat/completions replied 422 (too_long)",
      )
      expect(written).not.toContain('48213')
    }
  })

  it('can be of failures alone', () => {
    expect(logged('none').trimEnd().split('\n')).toHaveLength(1)
  })
})
