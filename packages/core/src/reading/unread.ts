/** The part of a text that was not read, if the workflow ended the reading early or passed over some of it. */
import type { WorkflowEvent } from '../workflows/workflow.ts'

/** Both are undefined if the size of the text is not known. */
export interface UnreadText {
  readonly bytes?: number | undefined
  /** Share of the whole text: more than 0, less than 1. */
  readonly share?: number | undefined
}

/** Undefined if nothing is left. `{}` if the size is not known, or is smaller than what was read, as with another encoding. */
export function unreadText(sizeBytes: number | undefined, readBytes: number): UnreadText | undefined {
  if (sizeBytes === undefined || readBytes > sizeBytes) return {}
  const bytes = sizeBytes - readBytes
  return bytes > 0 ? { bytes, share: bytes / sizeBytes } : undefined
}

type Warning = Extract<WorkflowEvent, { type: 'warning' }>

export function endedEarly({ bytes, share }: UnreadText, step: number): Warning {
  const rest =
    bytes === undefined || share === undefined
      ? 'what may have followed was not read'
      : `${percent(share)} of the text (${bytesText(bytes)}) was not read`
  const message = `The reading ended early, after chunk ${step + 1}: ${rest}.`
  return { type: 'warning', step, code: 'ended-early', message }
}

export function passedOver({ bytes = 0, share = 0 }: UnreadText, step: number): Warning {
  const read = percent(1 - share)
  const little = /^\d/.test(read) ? `Only ${read}` : `${read[0]!.toUpperCase()}${read.slice(1)}`
  const message = `${little} of the text was read: ${bytesText(bytes)} passed over.`
  return { type: 'warning', step, code: 'passed-over', message }
}

const bytesText = (bytes: number) => `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`

/** Never 0 % or 100 %: something was left, and something was read. */
function percent(share: number): string {
  const rounded = Math.round(100 * share)
  if (rounded === 0) return 'less than 1 %'
  return rounded === 100 ? 'more than 99 %' : `${rounded} %`
}
