/** The page as one file: it loads nothing, and only its own script can run. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { packPage } from './packed-page.ts'
import type { RunPage } from './run-page.ts'

/** The same from the compiled code and from its sources. */
const assets = new URL('../dist/page/', import.meta.url)

/**
 * @returns pieces that join to the page
 * @throws ConfigurationError `web/not-built` in a clone of the repository without a built page
 */
export async function runPageHtml(page: RunPage): Promise<readonly string[]> {
  const [script, style] = await Promise.all([asset('page.js'), asset('page.css')])
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return [
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>memagent</title>
<style>${style}</style>
</head>
<body>
<noscript>This page shows a run of memagent. It needs JavaScript, which is part of this file.</noscript>
<main id="page"></main>
<script type="application/json" id="run">`,
    dataText(packPage(page)),
    `</script>
<script>${script}</script>
</body>
</html>
`,
  ]
}

/** JSON whose text can neither close its element nor open another. */
const dataText = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

async function asset(name: string): Promise<string> {
  const text = await readFile(new URL(name, assets), 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError({
      code: 'web/not-built',
      message: 'The page is not built.',
      hint: 'In the folder of the repository: npm run build:page',
      cause,
    })
  })
  // A browser hashes the element's text with these line ends.
  return text.replaceAll('\r\n', '\n')
}
