/** A task whose reward a random model earns now and then: an answer with a letter of the first half of the alphabet. */
import { createTextDocument } from '@memagent/core'
import { createRandom, type Task } from '@memagent/tasks'

export const task: Task = {
  name: 'letters',
  async sample({ index, seed, lengthTokens }) {
    const random = createRandom('letters', seed, index)
    const text = Array.from({ length: lengthTokens }, () => random.pick([...'abcdefgh ij'])).join('')
    return {
      id: `letters/seed-${seed}/index-${index}/tokens-${lengthTokens}`,
      question: 'who?',
      document: createTextDocument(text),
      references: ['a'],
      match: 'any',
      evidence: [],
      labels: {},
    }
  },
  score(_, answer) {
    const score = Number(/[a-m]/i.test(answer ?? ''))
    return { strict: score, lenient: score }
  },
}
