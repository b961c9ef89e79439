/** Finds which of the given texts are new to a session, and what became of those it has read. */
import type { NewDocument, SessionDocument } from './session-store.ts'

export interface SessionNews<Text extends NewDocument = NewDocument> {
  /** To be read, in this order. */
  readonly fresh: readonly Text[]
  /** Read before, and unchanged. */
  readonly known: readonly string[]
  /** Read before, but changed since. */
  readonly changed: readonly string[]
  /** Texts that were read, and have another path now. */
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  /** The same text as another document. */
  readonly copies: readonly { readonly path: string; readonly of: string }[]
}

export interface NewsOptions {
  /** Changed texts are read again. */
  readonly readsChanged: boolean
  /** Whether the file of a text that was read is gone. @default assumes that no file is gone */
  readonly isGone?: ((path: string) => Promise<boolean>) | undefined
}

/** @param documents of the session, in the order of reading */
export async function sessionNews<Text extends NewDocument>(
  texts: AsyncIterable<Text> | Iterable<Text>,
  documents: readonly SessionDocument[],
  { readsChanged, isGone = async () => false }: NewsOptions,
): Promise<SessionNews<Text>> {
  const versions = new Map<string, SessionDocument[]>()
  for (const one of documents) versions.set(one.path, [...(versions.get(one.path) ?? []), one])
  const readAs = new Map(
    documents.filter(({ sizeBytes }) => sizeBytes > 0).map((one) => [one.sha256, one.path]),
  )
  const paths = new Set<string>()
  const fresh: Text[] = []
  const known: string[] = []
  const changed: string[] = []
  const moved: SessionNews['moved'][number][] = []
  const copies: SessionNews['copies'][number][] = []
  for await (const text of texts) {
    const { path, sha256 } = text
    if (paths.has(path)) continue
    paths.add(path)
    const earlier = versions.get(path)
    // A text that went back to an older version has changed, too: the memory knows the version after it.
    const last = earlier?.at(-1)
    const same = readAs.get(sha256)
    if (last?.sha256 === sha256) {
      if (last.isRead) known.push(path)
    } else if (earlier) {
      changed.push(path)
      if (readsChanged) fresh.push(text)
    } else if (same === undefined) {
      fresh.push(text)
      if (text.sizeBytes > 0) readAs.set(sha256, path)
    } else {
      const document = versions.get(same)?.find((one) => one.sha256 === sha256)
      if (document && document.input === undefined && (await isGone(same))) {
        moved.push({ from: same, to: path })
        readAs.set(sha256, path)
      } else copies.push({ path, of: same })
    }
  }
  return { fresh, known, changed, moved, copies }
}
