/**
 * For tests of tasks: a small haystack of English words in sentences and paragraphs, with characters of 2 to 4 bytes; a token
 * count; and the contract, registered in one call.
 */
import { registerCases } from '@memagent/core/testing'
import { createTextProse, type ProseSource } from '../prose/prose-source.ts'
import { createRandom } from '../random.ts'
import { type TaskContractOptions, taskContract } from './task-contract.ts'

const words = (
  'the of and to in a is that it was for on are as with his they at be this from have or by one had not but what all were when ' +
  'we there can an your which their said if do will each about how up out them then she many some so these would other into has ' +
  'more two like him see time could no make than first been its who now people my made over did down only way find use may water ' +
  'long little very after words called just where most know café naïve déjà'
).split(' ')

/** About `paragraphCount` x 55 words. */
export function sampleProse(paragraphCount = 160): ProseSource {
  const random = createRandom('sample prose')
  const paragraphs = Array.from({ length: paragraphCount }, (_, i) => {
    if (i % 17 === 5) {
      return `## Chapter ${i} — 🙂`
    }
    return Array.from({ length: random.between(1, 9) }, () => {
      const sentence = Array.from({ length: random.between(5, 17) }, () => random.pick(words)).join(' ')
      return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
    }).join(i % 3 === 0 ? '\n' : ' ')
  })
  return createTextProse('sample prose', `${paragraphs.join('\n\n')}\n`)
}

/** Splits text like GPT-2's pre-tokenizer: trailing white space counts differently from white space before a word. */
export const countTokensRoughly = (text: string): number =>
  text.match(/ ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu)?.length ?? 0

/** Registers the contract with a runner. Unless `options` say otherwise, the task has no decoys, and every text holds the answer. */
export function registerContract(
  test: Parameters<typeof registerCases>[1],
  create: TaskContractOptions['create'],
  options: Partial<TaskContractOptions> = {},
): void {
  const usual = { countTokens: countTokensRoughly, absentShare: 0, decoysPer200k: 0 }
  registerCases(taskContract({ create, ...usual, ...options }), test)
}
