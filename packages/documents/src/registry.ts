/** All loaders. A loader is one file and one line here; one that needs the whole file is a line of `parsed-whole.ts`. */
import type { Loader } from './loader.ts'
import { gzip, zstd } from './loaders/compressed.ts'
import { csv } from './loaders/csv.ts'
import { html } from './loaders/html.ts'
import { json } from './loaders/json.ts'
import { mail } from './loaders/mail.ts'
import { markdown } from './loaders/markdown.ts'
import { mbox } from './loaders/mbox.ts'
import { oldOffice } from './loaders/old-office.ts'
import { parsedWhole } from './loaders/parsed-whole.ts'
import { tar } from './loaders/tar.ts'
import { text } from './loaders/text.ts'
import { zip } from './loaders/zip.ts'

/** Text loaders claim in this order; plain text takes the rest. */
export const loaders: readonly Loader[] = [
  ...parsedWhole,
  oldOffice,
  ...[zip, tar, gzip, zstd].filter((loader) => loader !== undefined),
  mbox,
  mail,
  html,
  markdown,
  csv,
  json,
  text,
]

/** Part of a run's identity: another version may yield another text. A container may hold files of any kind. */
export const identityOf = (loader: Loader, registry: readonly Loader[] = loaders): string =>
  (loader.isContainer ? registry : [loader])
    .map(({ name, version, fingerprint }) => [`${name}@${version}`, fingerprint].filter(Boolean).join(':'))
    .join(' ')
