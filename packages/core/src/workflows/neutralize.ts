/**
 * Makes text from documents, memories and questions unable to close a section, open another one or end a turn: where it
 * holds one of the prompt's markers, or what chat templates use as control tokens, the opening sign is replaced by a
 * look-alike. The change is visible and small, and doing it twice changes nothing more.
 */

/** Control tokens of common chat templates, in any spelling with spaces. */
const controlTokens = [
  /<(?=\s*\|)/g,
  /\|(?=\s*>)/g,
  /<(?=\s*\/?\s*s\s*>)/gi,
  /<(?=\s*(?:start|end)_of_turn\s*>)/gi,
  /<(?=\s*(?:begin|end)\s*▁)/gi,
  /<(?=\s*\/?\s*think\s*>)/gi,
  /<(?=\s*<\s*\/?\s*SYS\s*>)/gi,
  /\[(?=\s*\/?\s*(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT)\s*\])/gi,
]
/** What opens a marker, and its look-alike. */
const lookalikes: Readonly<Record<string, string>> = { '<': '‹', '[': '［', '\\': '＼', '|': '¦' }

/** @param markers of the prompts in use; tags are caught in any case and with any white space in them */
export function createNeutralizer(markers: readonly string[]): (text: string) => string {
  const patterns = [...controlTokens, ...markers.map(markerPattern)]
  return (text) => {
    if (!/[<[\\|]/.test(text)) return text
    let result = text
    for (const pattern of patterns) {
      result = result.replace(pattern, (sign) => lookalikes[sign] ?? ' ')
    }
    return result
  }
}

/** The marker's first sign where the rest of the marker follows, white space anywhere. */
function markerPattern(marker: string): RegExp {
  const signs = [...marker].map((sign) => sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const [first, ...rest] = signs as [string, ...string[]]
  return new RegExp(`${first}(?=\\s*${rest.join('\\s*')})`, 'giu')
}
