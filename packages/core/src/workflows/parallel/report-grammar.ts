/**
 * What a chunk reports: `no`, alone, or `yes` with the details. PI-Mem's form (`<check>yes</check>`, arXiv 2608.03048) is
 * accepted, too. There, anything without its "no" counts as news, and a "no" anywhere counts as none; here both are malformed.
 */

export type Report =
  | { readonly news: string | undefined }
  /** Continues "the response". */
  | { readonly problem: string }

/** The verdict, with the punctuation that models put around or after it. */
const verdict =
  /^["'`*_]{0,20}(?:<check>\s{0,20})?["'`*_]{0,20}(yes|no)(?![\p{L}\p{N}])["'`*_]*(?:\s*<\/check>)?["'`*_]*[ \t]*[.,:;!-]*["'`*_]*/iu

export function parseReport(response: string): Report {
  const text = response.trim()
  const match = verdict.exec(text)
  if (!match) return { problem: 'begins with neither "yes" nor "no"' }
  const rest = text.slice(match[0].length).trim()
  if (match[1]!.toLowerCase() === 'no') {
    return rest === '' ? { news: undefined } : { problem: 'says "no", and more than that' }
  }
  return rest === '' ? { problem: 'says "yes" without any details' } : { news: rest }
}
