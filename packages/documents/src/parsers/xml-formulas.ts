/** Turns formulas in XML into text. */
import { Formula, wouldFuse } from '../text/formula.ts'
import { chartEvents } from './charts.ts'
import { signOf } from './docx-signs.ts'
import { ParseFailure } from './parser.ts'
import { attribute, runOf, type XmlEvent } from './xml.ts'
import { resolvePart, type ZipPackage } from './zip-package.ts'

/** Elements that refer to a text elsewhere. */
const references = new Set(['footnoteReference', 'endnoteReference', 'commentReference'])

/** Turns each Office formula into the text of a run. */
export async function* formulasAsRuns(events: AsyncIterable<XmlEvent>): AsyncIterable<XmlEvent> {
  let formula: Formula | undefined
  let behind: XmlEvent[] = []
  const edges = new Edges()
  let [isText, isRaised] = [false, false]
  for await (const event of events) {
    if (formula === undefined) {
      if (event.kind === 'open' && event.name === 'oMath') {
        formula = new Formula('omml')
        continue
      }
      const shown = event.kind !== 'text' ? signOf(event) : isText ? event.text : undefined
      if (event.kind !== 'text') {
        if (event.name === 'p') edges.forget()
        if (event.name === 't') isText = event.kind === 'open'
        if (event.name === 'r') isRaised = false
        else if (attribute(event, 'val') === 'superscript' || Number(attribute(event, 'baseline')) > 0) {
          isRaised = true
        }
      }
      // Raised text is a power of the formula.
      const space = shown === undefined ? '' : edges.before(shown, false, isRaised)
      if (space !== '' && isText) yield { kind: 'text', text: space }
      else if (space !== '') yield* runOf(space)
      yield event
    } else if (event.kind !== 'close' || event.name !== 'oMath') {
      const sign = signOf(event)
      if (sign !== undefined) formula.sign(sign)
      else if (event.kind === 'open' && references.has(event.name)) {
        behind.push(event, { kind: 'close', name: event.name })
      } else add(formula, event)
    } else {
      const text = formula.end()
      yield* runOf(edges.before(text, true) + text)
      yield* behind
      formula = undefined
      behind = []
    }
  }
}

/** Keeps track of where text and formulas meet. */
class Edges {
  #last = ''
  #isFormula = false

  /** The space needed before this text, which comes next. */
  before(text: string, isFormula: boolean, isRaised = false): string {
    if (text === '') return ''
    const isEdge = (isFormula || this.#isFormula) && !isRaised
    const space = isEdge && wouldFuse(this.#last, text) ? ' ' : ''
    ;[this.#last, this.#isFormula] = [text, isFormula]
    return space
  }

  /** A paragraph begins or ends. */
  forget(): void {
    this.#last = ''
  }
}

/** Replaces OpenDocument formulas and charts, objects in their own parts, by their text. @param unread collects names of broken parts */
export async function* objectsAsText(
  zip: ZipPackage,
  events: AsyncIterable<XmlEvent>,
  unread: string[],
): AsyncGenerator<XmlEvent, undefined> {
  const edges = new Edges()
  let paragraphs = 0
  let [isFormula, isTitle] = [false, false]
  for await (const event of events) {
    const { kind } = event
    if (kind !== 'text' && /^[ph]$/.test(event.name)) edges.forget()
    if (kind !== 'text' && event.name === 'p') paragraphs += kind === 'open' ? 1 : -1
    if (kind !== 'text' && event.name === 'frame') isFormula = false
    // The title and description of a formula only say that it is one.
    if (kind !== 'text' && /^(title|desc)$/.test(event.name)) isTitle = kind === 'open'
    if (isFormula && isTitle) continue
    if (kind === 'text') yield { kind, text: edges.before(event.text, false) + event.text }
    else yield event
    if (kind !== 'open' || event.name !== 'object') continue
    const part = resolvePart('', `${attribute(event, 'href') ?? ''}/content.xml`)
    const orUnread = (error: unknown): undefined => {
      if (!(error instanceof ParseFailure) || error.kind !== 'broken') throw error
      unread.push(part)
    }
    const text = await formulaOf(zip, part).catch(orUnread)
    if (text === undefined) {
      if (!unread.includes(part)) yield* (await chartEvents(zip, part).catch(orUnread)) ?? []
      continue
    }
    isFormula = true
    if (paragraphs === 0) yield { kind: 'open', name: 'p', attributes: {} }
    yield { kind: 'text', text: edges.before(text, true) + text }
    if (paragraphs === 0) yield { kind: 'close', name: 'p' }
  }
}

/** Undefined if the object is not a formula. */
async function formulaOf(zip: ZipPackage, part: string): Promise<string | undefined> {
  let formula: Formula | undefined
  for await (const event of zip.xmlIfAny(part)) {
    if (formula) add(formula, event)
    else if (event.kind === 'open' && event.name !== 'math') return undefined
    else if (event.kind === 'open') formula = new Formula('mathml')
  }
  return formula?.end()
}

function add(formula: Formula, event: XmlEvent): void {
  if (event.kind === 'text') formula.text(event.text)
  else if (event.kind === 'close') formula.close(event.name)
  else formula.open(event.name, (name) => attribute(event, name))
}
