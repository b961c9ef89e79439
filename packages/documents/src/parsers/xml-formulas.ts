/** Formulas in XML as text. */
import { Formula } from '../text/formula.ts'
import { attribute, type XmlEvent } from './xml.ts'
import { resolvePart, type ZipPackage } from './zip-package.ts'

/** Each formula of Office as the text of a run. */
export async function* formulasAsRuns(events: AsyncIterable<XmlEvent>): AsyncIterable<XmlEvent> {
  let formula: Formula | undefined
  for await (const event of events) {
    if (formula === undefined) {
      if (event.kind === 'open' && event.name === 'oMath') formula = new Formula('omml')
      else yield event
    } else if (event.kind !== 'close' || event.name !== 'oMath') add(formula, event)
    else {
      yield { kind: 'open', name: 'r', attributes: {} }
      yield { kind: 'open', name: 't', attributes: {} }
      yield { kind: 'text', text: formula.end() }
      yield { kind: 'close', name: 't' }
      yield { kind: 'close', name: 'r' }
      formula = undefined
    }
  }
}

/** Each formula of OpenDocument, an object that is a part of its own, as text. */
export async function* formulaObjects(
  zip: ZipPackage,
  events: AsyncIterable<XmlEvent>,
): AsyncGenerator<XmlEvent, undefined> {
  let paragraphs = 0
  let [isFormula, isTitle] = [false, false]
  for await (const event of events) {
    const { kind } = event
    if (kind !== 'text' && event.name === 'p') paragraphs += kind === 'open' ? 1 : -1
    if (kind !== 'text' && event.name === 'frame') isFormula = false
    // Of a formula, it says that it is one.
    if (kind !== 'text' && event.name === 'title') isTitle = kind === 'open'
    if (!(isFormula && isTitle)) yield event
    if (kind !== 'open' || event.name !== 'object') continue
    const text = await formulaOf(zip, resolvePart('', `${attribute(event, 'href') ?? ''}/content.xml`))
    if (text === undefined) continue
    isFormula = true
    if (paragraphs === 0) yield { kind: 'open', name: 'p', attributes: {} }
    yield { kind: 'text', text }
    if (paragraphs === 0) yield { kind: 'close', name: 'p' }
  }
}

/** Undefined for an object that is no formula. */
async function formulaOf(zip: ZipPackage, part: string): Promise<string | undefined> {
  if (!zip.has(part)) return undefined
  let formula: Formula | undefined
  for await (const event of zip.xml(part)) {
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
