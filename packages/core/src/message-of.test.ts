import { expect, it } from 'vitest'
import { messageOf } from './message-of.ts'

const circular: { self?: unknown } = {}
circular.self = circular

it.each([
  ['an error', new TypeError('no such key'), 'no such key'],
  ['an error without a message', new RangeError(), 'RangeError'],
  ['a text', 'out of memory', 'out of memory'],
  ['nothing', undefined, 'undefined'],
  ['a symbol', Symbol('full'), 'Symbol(full)'],
  ['an object with a message', { message: 'quota exceeded', code: 7 }, 'quota exceeded'],
  ['an object of fields', { status: 503, reason: 'overloaded' }, '{"status":503,"reason":"overloaded"}'],
  ['an object without a prototype', Object.assign(Object.create(null), { status: 503 }), '{"status":503}'],
  ['an object that contains itself', circular, 'something was thrown that has no text'],
  ['a large object', { text: 'x'.repeat(1000) }, `{"text":"${'x'.repeat(291)}`],
])('says what %s tells', (_, thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})
