/** What a server has, so that requests are not always about nothing. */

export interface Known {
  readonly run: string[]
  readonly file: string[]
  readonly session: string[]
  readonly model: string[]
}

const mostKnown = 30

/** Some of each kind. */
export async function seedServer(url: string): Promise<Known> {
  const known: Known = { run: [], file: [], session: ['diary', 'notes'], model: ['reader'] }
  const begin = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    note(path, await reply.text(), known)
  }
  const form = new FormData()
  form.set('file', new File(['The key is 48213. '.repeat(50)], 'a.txt'))
  const upload = await fetch(`${url}/v1/files`, { method: 'POST', body: form })
  note('/v1/files', await upload.text(), known)
  const [file] = known.file
  await begin('/api/runs', { question: 'What is the key?', files: [file] })
  await begin('/api/runs', { questions: ['What is the key?', 'And?'], text: 'The key is 5.' })
  await begin('/api/sessions/diary/read', { question: 'What is the key?', files: [file] })
  return known
}

/** Notes what a request has created, for later requests to ask about. @param body of the reply */
export function note(path: string, body: string, known: Known): void {
  const id = /"id":"(file-[0-9a-f]{32}|[0-9a-f]{10})"/.exec(body)?.[1]
  if (id === undefined) return
  const isFile = id.startsWith('file-')
  if (isFile && !path.startsWith('/v1/files')) return
  const found = isFile ? known.file : known.run
  found.push(id)
  if (found.length > mostKnown) found.shift()
}
