/** A log with facts that come and change, and a server whose model notes them: for a run to look through. */
import { createStubServer, type StubServer } from '@memagent/core/testing'

export const question = 'Who keeps the lighthouse, since when, and how is the keeper reached?'
export const answer = 'Tom Berg has kept the lighthouse since 3 May; he is reached on channel 16.'

/** Notes on it are about the lamp alone. */
export const lampQuestion = 'What does the lamp burn?'
export const lampAnswer = 'The lamp of the lighthouse burns on electricity from the mainland.'

/** Day -> what the log says of the lighthouse. */
const facts: Readonly<Record<number, string>> = {
  3: 'The lighthouse is kept by Ann Hale.',
  9: 'The lamp of the lighthouse burns paraffin.',
  14: 'The keeper of the lighthouse is reached on channel 12.',
  22: 'The lighthouse has been kept by Tom Berg since 3 May.',
  31: 'The lamp of the lighthouse burns on electricity from the mainland.',
  38: 'The keeper of the lighthouse is reached on channel 16.',
}

/** What the notes say of each fact; later ones replace earlier ones on the same topic. */
const notes: Readonly<Record<number, readonly [topic: string, note: string]>> = {
  3: ['kept', 'The lighthouse is kept by Ann Hale.'],
  9: ['lamp', 'The lamp of the lighthouse burns paraffin.'],
  14: ['reached', 'The keeper of the lighthouse is reached on channel 12.'],
  22: ['kept', 'The lighthouse has been kept by Tom Berg since 3 May.'],
  31: ['lamp', 'The lamp of the lighthouse burns on electricity from the mainland.'],
  38: ['reached', 'The keeper of the lighthouse is reached on channel 16.'],
}

const days = [
  'The fog came in before dawn and stayed until noon, and two trawlers waited outside the mole for the second tide.',
  'Wind from the north, force five, with rain after ten; the ferry was forty minutes late and left without its mail.',
  'A quiet day, on which the painters finished the customs house and began on the railings of the east quay.',
  'The dredger worked on the inner basin from six in the morning until the light went, and brought up an anchor.',
  'The pilots played cards in the watch room, and the harbour master lost four kroner and said nothing at supper.',
]

/** @param count of days */
export const harbourLog = (count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const lines = [0, 1, 2].map((more) => days[(i * 3 + more * 2) % days.length]!)
    return [`Day ${i + 1}.`, ...lines, ...(facts[i + 1] ? [facts[i + 1]!] : [])].join(' ')
  }).join('\n\n')

/** A server whose model notes what the log says of the lighthouse, and answers. @param reply replaces a reply, or undefined */
export const noteTaker = (
  reply?: (call: number, prompt: string) => string | undefined | Promise<string | undefined>,
): Promise<StubServer> =>
  createStubServer({
    respond: async ({ index, messages }) => {
      const prompt = messages.at(-1)!.content
      const other = await reply?.(index, prompt)
      if (other !== undefined) return other
      const isAboutLamp = prompt.includes(lampQuestion)
      if (!prompt.includes('<section>')) return `\\boxed{${isAboutLamp ? lampAnswer : answer}}`
      const section = /<section>([\s\S]*?)<\/section>/.exec(prompt)![1]!
      const memory = /<memory>\n?([\s\S]*?)<\/memory>/.exec(prompt)![1]!
      const known = new Map(
        Object.values(notes).flatMap(([topic, note]) =>
          memory.includes(note) ? [[topic, note] as const] : [],
        ),
      )
      for (const [day, fact] of Object.entries(facts)) {
        if (section.includes(fact)) known.set(...notes[Number(day)]!)
      }
      return (
        (isAboutLamp ? ['lamp'] : ['kept', 'reached', 'lamp'])
          .flatMap((topic) => known.get(topic) ?? [])
          .map((note) => `- ${note}`)
          .join('\n') || 'Nothing about the lighthouse yet.'
      )
    },
  })
