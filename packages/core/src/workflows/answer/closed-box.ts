/** What a verifier requires of a final response: stricter than parsing an answer for people (`parseAnswer`). */
import { lastBoxed } from './boxed.ts'

/** How many characters from the end MemAgent's verifier looks at (`verl/utils/reward_score/hotpotqa.py`). */
const lastCharacters = 300

/**
 * Whether a final response ends as rewards require: the last `\boxed` (without one, the last `\fbox`) within its last 300
 * characters opens a brace, closes it and is not blank. The answer is then what `parseAnswer` returns.
 *
 * MemAgent's verifier also accepts `\boxed X`, without braces, up to the next `$`, and a box that only an escaped brace
 * closes; neither is a closed box here.
 */
export function endsInClosedBox(response: string): boolean {
  // Characters have one or two UTF-16 units.
  const end = [...response.slice(-2 * lastCharacters)].slice(-lastCharacters).join('')
  const [name, start] = ['\\boxed', '\\fbox']
    .map((box) => [box, end.lastIndexOf(box)] as const)
    .find(([, at]) => at >= 0) ?? ['', -1]
  if (start < 0 || end[start + name.length] !== '{') return false
  let open = 0
  for (let i = start + name.length; i < end.length; i++) {
    if (end[i] === '{') open++
    else if (end[i] === '}' && --open === 0) return Boolean(lastBoxed(end.slice(start, i + 1)))
  }
  return false
}
