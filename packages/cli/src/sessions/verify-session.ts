/** Reads the passages behind a session's statements again, as far as their files still exist. */
import {
  type TextDocument,
  type TracedStatement,
  type VerifiedStatement,
  verifySources,
} from '@memagent/core'
import type { SessionDocument, SessionSummary } from '@memagent/store'
import type { StorePlace } from '../run-store/open-store.ts'
import { type Output, printable } from '../terminal.ts'
import { versionAt } from './find-documents.ts'
import type { SessionFlags } from './session-settings.ts'
import { openSessionText } from './session-text.ts'
import { shownPath } from './shown-path.ts'

export interface Verification {
  readonly documents: readonly SessionDocument[]
  readonly session: SessionSummary
  readonly place: StorePlace
  readonly flags: SessionFlags
}

/** Says which of the cited files have changed or are gone. @throws DocumentError */
export async function verifySession(
  statements: readonly TracedStatement[],
  verification: Verification,
  output: Output,
): Promise<readonly VerifiedStatement[]> {
  const cited = new Set(statements.flatMap(({ sources }) => sources.map(({ file }) => file)))
  const documents = new Map<string, SessionDocument>()
  for (const one of verification.documents) {
    if ([...cited].some((file) => file === one.path || file.startsWith(`${one.path}/`))) {
      documents.set(one.path, one)
    }
  }
  const present: SessionDocument[] = []
  for (const one of documents.values()) {
    const now = one.input === undefined ? await versionAt(one.path).catch(() => undefined) : one
    if (now) present.push(one)
    if (now?.sha256 === one.sha256) continue
    const what = now ? 'has changed since it was read' : 'cannot be read any more'
    output.write(`note: ${printable(shownPath(one.path))} ${what}.\n`)
  }
  return verifySources(await textsOf(present, verification), statements)
}

/** One after the other, since each may be standard input. */
async function textsOf(
  documents: readonly SessionDocument[],
  { session, place, flags }: Verification,
): Promise<TextDocument> {
  const opened = await Promise.all(
    documents.map(({ startByte: _, ...whole }) =>
      openSessionText({
        ...{ session: session.name, reading: 0, documents: [whole], place, remarks: [] },
        flags: { ...flags, skipUnreadable: true },
      }),
    ),
  )
  return {
    name: session.name,
    isReopenable: true,
    async *open(signal) {
      for (const text of opened) yield* text.open(signal)
    },
  }
}
