/** The input and output of a command, replaceable by tests. */

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

export interface Terminal {
  /** A piece may be overwritten when the next one is requested: copy what you keep. */
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean | undefined }
  readonly stdout: Output
  readonly stderr: Output
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Interrupts a reading as Ctrl-C does. @default the signals of the process do */
  readonly interruption?: AbortSignal | undefined
}

/** Characters that JSON leaves unescaped but that control a terminal, end a line or reorder text. */
const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Prints the value as one line of JSON that is safe on a terminal; `JSON.parse` gives the same value back. */
export function printJson(output: Output, value: unknown): void {
  const json = JSON.stringify(value).replace(
    steering,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  output.write(`${json}\n`)
}

/** What a command prints on standard output, if not plain text. */
export interface OutputFlags {
  readonly json?: boolean | undefined
  readonly events?: boolean | undefined
}

/** For `--events`. @returns a function that prints an event as a line of JSON */
export const eventPrinter = (
  { events }: OutputFlags,
  { stdout }: Pick<Terminal, 'stdout'>,
): ((event: object) => void) | undefined => (events ? (event) => printJson(stdout, event) : undefined)

const joined = String.raw`(?!\p{Script=Latin})[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]`
/** Joiners are part of the spelling between letters of Arabic, Persian or Indic words, and between parts of an emoji. */
const invisible = new RegExp(
  String.raw`[\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|(?<!${joined})[\u200c\u200d]|[\u200c\u200d](?!${joined})`,
  'gu',
)
const escaped = (sign: string) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`

/**
 * Makes text from documents and models safe to print: control characters (escape sequences among them) and characters that
 * reorder text become visible or are dropped; runs of white space become one space.
 */
export function printable(text: string): string {
  return text
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, escaped)
}

/** The text with its spaces and tabs, but without characters that control a terminal. @param line without its line break */
export const printableText = (line: string): string =>
  line
    .replace(invisible, '')
    .replace(/\r$/, '')
    .replace(/[\u2028\u2029]/g, ' ')
    .replace(/[^\P{Cc}\t]/gu, escaped)

/** The same line by line, keeping indentation: for messages of several lines. */
export const printableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => `${/^ */.exec(line)![0]}${printable(line).trimStart()}`)
    .join('\n')
