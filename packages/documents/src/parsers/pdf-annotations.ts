/** The entries in the form of a PDF page, and people's comments on it. */

/** As the library gives it; a broken file may have anything. */
export interface PdfAnnotation {
  readonly subtype?: unknown
  readonly fieldName?: unknown
  readonly fieldType?: unknown
  readonly fieldValue?: unknown
  /** `buttonValue` is what the field holds if this radio button is chosen, `exportValue` if this box is ticked. */
  readonly buttonValue?: unknown
  readonly exportValue?: unknown
  readonly checkBox?: unknown
  readonly radioButton?: unknown
  readonly password?: unknown
  readonly contentsObj?: { readonly str?: unknown } | undefined
  readonly titleObj?: { readonly str?: unknown } | undefined
}

const notComments = new Set(['Widget', 'Link', 'Popup'])

/** A line `[field NAME] value` or `[comment] AUTHOR: text` for each, in the order of the page. */
export function annotationLines(annotations: readonly PdfAnnotation[]): readonly string[] {
  const lines = annotations.map((one) => (one.subtype === 'Widget' ? fieldLine(one) : commentLine(one)))
  // A field may be shown in several places.
  return [...new Set(lines.filter((line) => line !== undefined))]
}

function fieldLine(field: PdfAnnotation): string | undefined {
  const value = fieldValueOf(field)
  if (value === '' || field.password === true || field.fieldType === 'Sig') return undefined
  const name = plain(field.fieldName)
  return `[field${name === '' ? '' : ` ${name}`}] ${value}`
}

function fieldValueOf({
  fieldValue,
  checkBox,
  radioButton,
  buttonValue,
  exportValue,
}: PdfAnnotation): string {
  const value = Array.isArray(fieldValue) ? fieldValue.map(plain).join(', ') : plain(fieldValue)
  if (checkBox === true) return value === plain(exportValue) && value !== 'Off' ? value : ''
  if (radioButton === true) return value === plain(buttonValue) ? value : ''
  return value
}

function commentLine({ subtype, contentsObj, titleObj }: PdfAnnotation): string | undefined {
  const text = plain(contentsObj?.str)
  if (text === '' || notComments.has(String(subtype))) return undefined
  const author = plain(titleObj?.str)
  return `[comment] ${author === '' ? '' : `${author}: `}${text}`
}

const plain = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '')
