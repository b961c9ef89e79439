/** More cases, generated from a seed: records of one form, so every statement has neighbours that differ in one word. */
import type { CaseDocument, Says } from './case-file.ts'

interface Words {
  readonly people: readonly string[]
  readonly places: readonly string[]
  readonly things: readonly string[]
  readonly months: readonly string[]
}

const first: Words = {
  people: [
    'Anton Vrba',
    'Berta Lang',
    'Cyril Moss',
    'Dina Rahal',
    'Emil Strand',
    'Freya Holt',
    'Gaspar Leone',
    'Hana Kubo',
  ],
  places: ['Almere', 'Bruck', 'Cadiz', 'Derry', 'Evora', 'Falun', 'Gdynia', 'Hobart'],
  things: ['lanterns', 'barrels', 'saddles', 'carpets', 'clocks', 'violins', 'kettles', 'ladders'],
  months: ['January', 'March', 'May', 'July', 'September', 'November'],
}
const second: Words = {
  people: [
    'Ida Norling',
    'Jonas Pell',
    'Katya Sorin',
    'Leon Abadi',
    'Mira Castell',
    'Nils Oder',
    'Olga Tarr',
    'Pedro Quint',
  ],
  places: ['Izmir', 'Jaca', 'Kiel', 'Lecce', 'Mostar', 'Narvik', 'Olomouc', 'Porto'],
  things: ['anchors', 'blankets', 'candles', 'drums', 'easels', 'fiddles', 'goblets', 'hammocks'],
  months: ['February', 'April', 'June', 'August', 'October', 'December'],
}

/** The same numbers for a seed on every machine. */
function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const written = (value: number) => value.toLocaleString('en-US')

/** Documents of four sections, each with two sales and what happened to them. */
export function drawnCases(part: 'first' | 'second', documents: number): CaseDocument[] {
  const words = part === 'first' ? first : second
  const draw = drawing(part === 'first' ? 11 : 4711)
  return Array.from({ length: documents }, (_, i) => drawnDocument(`${part} ${i}`, words, draw))
}

function drawnDocument(name: string, words: Words, draw: (below: number) => number): CaseDocument {
  const pick = (list: readonly string[], offset: number) => list[(draw(2) + offset) % list.length]!
  const sections: string[] = []
  const says: Says[] = []
  for (let section = 0; section < 4; section++) {
    const [seller, buyer] = [pick(words.people, 2 * section), pick(words.people, 2 * section + 3)]
    const [place, other] = [pick(words.places, 2 * section), pick(words.places, 2 * section + 4)]
    const thing = pick(words.things, 2 * section)
    const month = words.months[draw(words.months.length)]!
    const count = 20 + draw(60)
    const price = 1000 + 10 * draw(800)
    const day = 2 + draw(25)
    const [sold, sent] = [`sold${section}`, `sent${section}`]
    sections.push(
      `The weather was fair. {{${sold}|${seller} sold ${count} ${thing} to ${buyer} for ${written(price)} crowns.}} ` +
        `The road was long. {{${sent}|They were sent from ${place} to ${other} on ${day} ${month}.}} Nobody complained.\n`,
    )
    const say = (kind: string, verdict: Says['verdict'], at: string, text: string) =>
      says.push({ class: kind, verdict, at, says: text, from: section })
    say('copy', 'found', sold, `${seller} sold ${count} ${thing} to ${buyer} for ${written(price)} crowns.`)
    if (section % 2 === 0) {
      say('paraphrase', 'found', sold, `${buyer} bought ${count} ${thing} from ${seller}.`)
      say('number-form', 'found', sold, `${count} ${thing} were sold to ${buyer} for ${price} crowns`)
      say('swapped', 'not-found', '', `${buyer} sold ${count} ${thing} to ${seller}.`)
      say('wrong-number', 'not-found', '', `${seller} sold ${count + 1} ${thing} to ${buyer}.`)
      say('date', 'found', sent, `sent from ${place} to ${other}: ${month} ${day}`)
    } else {
      say('negation', 'not-found', '', `${seller} did not sell ${count} ${thing} to ${buyer}.`)
      say(
        'wrong-name',
        'not-found',
        '',
        `${pick(words.people, 2 * section + 5)} sold ${count} ${thing} to ${buyer}.`,
      )
      say('swapped', 'not-found', '', `They were sent from ${other} to ${place} on ${day} ${month}.`)
      say('invented', 'not-found', '', `${buyer} broke ${count} ${thing} in ${other}.`)
      say('date', 'not-found', '', `They were sent from ${place} to ${other} on ${day + 1} ${month}.`)
    }
  }
  return { name, sections, says }
}
