/** Mail: who wrote what to whom and when, the text, and the attachments, which other loaders read. */
import type { Attachment, ParsedMail } from 'mailparser'
import { wholeBytes } from '../byte-source.ts'
import { brokenUnlessKnown } from '../failures.ts'
import type { Entry, LoadContext, LoadedText, Loader, SourceRemark } from '../loader.ts'
import { htmlText } from '../text/html-text.ts'
import { guessingCharset } from './mail-charset.ts'

const headerLines = /^(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+/
const telling = ['from', 'date', 'subject', 'to', 'message-id', 'received', 'mime-version', 'return-path']

export const mail: Loader = {
  name: 'mail',
  version: 9,
  isContainer: true,
  claims: ({ fileName, text }) =>
    /\.(eml|emlx|mht|mhtml)$/.test(fileName) || (mayBeMail(fileName) && isMail(text)),
  async *load(source, context) {
    yield* messageText(withoutFrame(await wholeBytes(source, context)), source.name, context, 'a mail')
  },
}

/** Without an extension, or as a mail server names it: a time, and its host, which may end like one (Maildir). */
const mayBeMail = (fileName: string) => !/\.[a-z][a-z\d]{0,4}$/.test(fileName) || /^\d{9,}\./.test(fileName)

/** Apple's Mail puts the mail's length before it, and what it knows about it behind. */
function withoutFrame(file: Buffer): Buffer {
  const [line, length] = /^(\d{1,12})[ \r]*\n/.exec(file.toString('latin1', 0, 100)) ?? []
  return line === undefined ? file : file.subarray(line.length, line.length + Number(length))
}

/** Whether a text begins with several of the usual headers. */
export function isMail(text: string): boolean {
  const [head = ''] = headerLines.exec(text.replaceAll('\r\n', '\n')) ?? []
  const names = new Set([...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name!.toLowerCase()))
  return names.has('from') && telling.filter((name) => names.has(name)).length >= 4
}

/**
 * @param number of the message in its mailbox
 * @throws DocumentError when it cannot be parsed
 */
export async function* messageText(
  bytes: Buffer,
  name: string,
  context: LoadContext,
  kind: string,
  number?: number,
): AsyncGenerator<LoadedText | Entry> {
  let parsed: ParsedMail
  try {
    parsed = await parsedMail(bytes, number ? `${name}, message ${number},` : name, name, context)
  } catch (error) {
    throw brokenUnlessKnown(error, name, kind, context)
  }
  const subject = parsed.subject?.trim()
  const position = { ...(number && { message: number }), ...(subject && { headings: [subject] }) }
  const lines = headersOf(parsed)
  yield { text: lines === '' ? '' : `${lines}\n`, position }
  const text = (await fullerText(parsed)).replaceAll(pgpMessages, '[Encrypted, not read]\n')
  if (text !== '') yield { text: endingLine(text) }
  const attachments = parsed.attachments
    .filter(isOwnFile)
    .filter((one, i, all) => !isEncrypted(one, all[i - 1]))
  for (const one of attachments.filter(isMedia)) {
    yield { text: `[Attachment, not read: ${nameOf(one)} (${typeOf(one)})]\n` }
  }
  yield { text: '\n' }
  for (const one of attachments.filter((attachment) => !isMedia(attachment))) {
    yield {
      entry: {
        name: `${name}/${number ? `${number}/` : ''}${nameOf(one)}`,
        sizeBytes: one.content.length,
        async *stream() {
          yield one.content
        },
      },
    }
  }
}

/** @param called the mail, as messages name it */
async function parsedMail(
  bytes: Buffer,
  called: string,
  source: string,
  { invalidBytes, onRemark }: LoadContext,
): Promise<ParsedMail> {
  const remark = (code: SourceRemark['code'], what: string) =>
    onRemark?.({ code, source, message: `${called} ${what}` })
  let parsed = await parse(bytes)
  // Asking for replacements implies that it is UTF-8.
  if (invalidBytes !== 'replace' && lostIn(parsed) > 0) {
    const guessed = guessingCharset(bytes)
    if (guessed) {
      parsed = await parse(guessed.mail)
      const guess = `names no character set and is not UTF-8; it is read as ${guessed.label}, which is a guess.`
      remark('source-encoding', guess)
    }
    if (lostIn(parsed) > 0 && !bytes.includes('\ufffd'))
      remark('source-encoding', 'has bytes that its character set has not: they are shown as \ufffd.')
  }
  const { params } = (parsed.headers.get('content-type') ?? {}) as {
    readonly params?: { readonly boundary?: string }
  }
  if (params?.boundary && !bytes.includes(`--${params.boundary}--`))
    remark('source-part-unread', 'has no end, perhaps because it was cut off: text may be missing.')
  const { attachments, text = '' } = parsed
  if (attachments.some((one, i) => isEncrypted(one, attachments[i - 1])) || pgpMessage.test(text))
    remark('source-part-unread', 'is encrypted, or a part of it is: that is not read.')
  return parsed
}

async function parse(bytes: Buffer): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser')
  return simpleParser(bytes, {
    ...{ skipHtmlToText: true, skipTextLinks: true, skipImageLinks: true },
    // Needed only beside HTML: for a long plain text it would waste much memory.
    skipTextToHtml: !/text\/html/i.test(bytes.toString('latin1')),
  })
}

const lostIn = ({ text = '', html }: ParsedMail): number =>
  `${text}${html || ''}`.match(/\ufffd/g)?.length ?? 0

/**
 * The plain text, or the HTML if that says more or something else: the plain text may be a footer below the HTML, or only ask
 * for another program. The library's HTML includes parts in plain text, but not vice versa.
 */
async function fullerText({ text = '', html }: ParsedMail): Promise<string> {
  let shown = ''
  if (html) for await (const piece of htmlText([html])) shown += piece.text
  const lengthOf = (words: string) => words.replace(/\s+/g, '').length
  const [inText, inHtml] = [text, shown].map((words) => new Set(words.toLowerCase().match(/[\p{L}\p{N}]+/gu)))
  const others = [...inHtml!].filter((word) => !inText!.has(word)).length
  return lengthOf(shown) > lengthOf(text) || 2 * others > inHtml!.size ? shown : text.trim() && text
}

/** Pictures of the HTML are `related`, but some programs also mark attached files that way. Styles of saved pages are parts, too. */
const isOwnFile = (one: Attachment) =>
  (!one.related && !(typeOf(one) === 'text/css' && one.filename === undefined)) ||
  one.contentDisposition === 'attachment' ||
  (one.filename !== undefined && !isMedia(one))

/** The library gives no text for a broken header. */
const typeOf = ({ contentType }: { readonly contentType: unknown }) =>
  typeof contentType === 'string' ? contentType : 'application/octet-stream'
/** Includes signatures, which say nothing to readers. */
const isMedia = (attachment: Attachment) =>
  /^(?:(?:image|audio|video)\/|application\/(?:(?:x-)?pkcs7|pgp)-signature$)/.test(typeOf(attachment))

const pgpMessage = /^-----BEGIN PGP MESSAGE-----\s*$/m
/** Whole ones, or what there is of one. */
const pgpMessages =
  /^-----BEGIN PGP MESSAGE-----[ \t\r]*$(?:(?!\n-----END)[\s\S])*(?:\n-----END PGP MESSAGE-----[ \t\r]*\n?)?/gm
/** An encrypted or wrapped message, which its reader's own program opens. In PGP, the message follows a part that names the version. */
const isEncrypted = (attachment: Attachment, before: Attachment | undefined): boolean =>
  /^application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted)$/.test(typeOf(attachment)) ||
  (before !== undefined && typeOf(before) === 'application/pgp-encrypted')

function nameOf(attachment: Attachment): string {
  const type = typeOf(attachment)
  const name = attachment.filename ?? `attachment.${type.split('/')[1] ?? 'bin'}`
  // A forwarded mail is named after its subject, or not at all.
  return type === 'message/rfc822' ? `${name.replace(/\.(eml|rfc822)$/i, '')}.eml` : name
}

function headersOf({ from, to, cc, bcc, subject, headerLines }: ParsedMail): string {
  const people = (value: ParsedMail['to']) =>
    [value ?? []]
      .flat()
      .map(({ text }) => text)
      .join(', ')
  const lines = [
    ['From', people(from)],
    ['To', people(to)],
    ['Cc', people(cc)],
    ['Bcc', people(bcc)],
    ['Date', dateOf(headerLines)],
    ['Subject', subject ?? ''],
  ]
  return lines
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label}: ${value}\n`)
    .join('')
}

/** As written: in another time zone, it was another hour, and perhaps another day. */
function dateOf(headers: ParsedMail['headerLines']): string {
  const line = headers.findLast(({ key }) => key === 'date')?.line ?? ''
  return line
    .slice(line.indexOf(':') + 1)
    .replace(/\s+/g, ' ')
    .trim()
}

const endingLine = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)
