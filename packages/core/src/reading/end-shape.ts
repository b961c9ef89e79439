/** The shape of the end of a reading that comes from elsewhere: what is shown of it must be what it seems to be. */
import {
  aCount,
  anAmount,
  anything,
  aText,
  isObject,
  listOf,
  objectOf,
  optional,
  type Shape,
} from '../json-shape.ts'
import type { Provenance } from '../provenance/provenance.ts'
import { answerShape, readingUsage, readingWarnings } from './checkpoint-shape.ts'
import type { AnswerEvent, NotesEvent } from './events.ts'
import { tracedStatement } from './provenance-shape.ts'
import type { UnreadText } from './unread.ts'

const common = {
  type: aText,
  warnings: readingWarnings,
  memory: aText,
  steps: aCount,
  usage: readingUsage,
  seconds: anAmount,
  unread: optional(objectOf<UnreadText>({ bytes: optional(aCount), share: optional(anAmount) })),
  provenance: optional(
    objectOf<Provenance>({ answer: optional(listOf(tracedStatement)), memory: listOf(tracedStatement) }),
  ),
}
const answer = objectOf<AnswerEvent>({ ...common, answer: answerShape })
const notes = objectOf<NotesEvent>({ ...common, state: anything })

/** An answer, or notes. */
export const endOfReading: Shape = (value, path) => {
  const type = isObject(value) ? value.type : undefined
  if (type === 'answer') return answer(value, path)
  return type === 'notes' ? notes(value, path) : `${path} is neither an answer nor notes`
}
