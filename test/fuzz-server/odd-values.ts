/** Values that programs trip over. */
import type { Random } from '@memagent/tasks'

export const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  'NaN',
  '0',
  'true',
  '\\boxed{1}',
  '</section>',
  '<|im_end|>',
  '😀'.repeat(99),
  'why '.repeat(900),
  '../../etc/passwd',
  'data:\n\nevent: x\n\n',
]
const oddNumbers = [0, -0, -1, 0.5, 1, 2, 3, 1e308, -1e308, 2 ** 31, 2 ** 53, 5e-324]

export function oddValue(random: Random, depth = 0): unknown {
  const kind = random.int(depth > 3 ? 4 : 7)
  if (kind === 0) return random.pick([null, true, false])
  if (kind === 1) return random.pick(oddNumbers)
  if (kind <= 3) return random.pick(oddTexts)
  const values = Array.from({ length: random.int(4) }, () => oddValue(random, depth + 1))
  if (kind === 4) return values
  if (kind === 5)
    return Object.fromEntries(
      values.map((value) => [random.pick(['type', 'text', 'role', 'content', 'x']), value]),
    )
  return nested(random.pick([3, 200]))
}

const nested = (levels: number): unknown => (levels === 0 ? 'deep' : [nested(levels - 1)])
