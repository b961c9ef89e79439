/**
 * A loader of one's own: reads subtitles (`.srt`) as the words that are said, without numbers and arrows, with the time as
 * position. Its path can be given to every command that reads texts:
 *
 *   npm run memagent -- text film.srt --loader ./examples/own-loader.ts
 *   npm run memagent -- ask QUESTION film.srt --loader ./examples/own-loader.ts
 *   npm run example examples/own-loader.ts                 reads some subtitles with it
 */
import { decodedText, type Loader, loaders, openBytes } from '@memagent/documents'

const timeLine = /^(\d+:\d\d:\d\d),\d{3} --> /

const subtitles: Loader = {
  // Part of a run's identity, with a hash of this file: a changed loader does not resume a run.
  name: 'subtitles',
  version: 1,
  // `kinds: ['sqlite']` instead, for files that are not text.
  claims: ({ fileName }) => fileName.endsWith('.srt'),
  // A stream: nothing is held but the last line. `decodedText` finds the encoding.
  async *load(source, context) {
    let held = ''
    for await (const text of decodedText(source, context)) {
      const lines = `${held}${text}`.split(/\r?\n/)
      held = lines.pop()!
      for (const line of lines) yield* said(line)
    }
    yield* said(held)
  },
}
export default subtitles

function* said(line: string) {
  const [, time] = timeLine.exec(line) ?? []
  // Quotes are shown with their position: film.srt, "0:01:07".
  if (time) yield { text: '', position: { headings: [time] } }
  else if (!/^\d*$/.test(line)) yield { text: `${line.replaceAll(/<\/?[ibu]>/g, '')}\n` }
}

if (process.argv[1] === import.meta.filename) {
  const film = `1
00:00:05,000 --> 00:00:07,500
The harbour is <i>closed</i>.

2
00:01:07,200 --> 00:01:09,000
Then we land at Grey Point.
`
  const document = openBytes(new TextEncoder().encode(film), 'film.srt', {
    loaders: [subtitles, ...loaders],
  })
  for await (const { text, position } of document.open()) {
    process.stdout.write(`${position?.headings}  ${text}`)
  }
}
