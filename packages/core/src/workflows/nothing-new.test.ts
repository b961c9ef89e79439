import { expect, it } from 'vitest'
import { saysNothingNew } from './nothing-new.ts'

it.each([
  'No new relevant information was found in this section; the memory stays unchanged.',
  'No new information.',
  'There is no additional information about the gate in this section.',
  'No relevant details were found.',
  'Nothing new to add.',
  'Nothing relevant in this section.',
  'No changes are needed.',
  '**The memory remains unchanged.**',
  'The previous memory is kept as it is.',
  'This section does not contain any new information about the keeper.',
  'The provided section doesn’t mention any relevant details, so the memory remains the same.',
  'The section contains no new information.',
  "The section adds nothing new. I'll keep the memory unchanged.",
  '本节没有提供任何新的信息。',
  '记忆保持不变。',
  '記憶保持不變。',
])('%s says that there is nothing new', (text) => {
  expect(saysNothingNew(text)).toBe(true)
})

it.each([
  '',
  'Ann keeps the gate.',
  'No new harbours were opened.',
  'No new information: the keeper is Ann.',
  'The keeper is Ann. No new information.',
  'The memory of Ann remains unchanged by age.',
  'No new information since the 3rd of May.',
  'Nothing remained of the harbour.',
  'No keeper is named.',
  '记忆不。',
  'The passage has no exit.',
  'No new information was found, except that Ann has left and Karl Mott keeps the lamp now.',
  'The memory remains the same but Karl Mott now keeps the lamp.',
  'No new information besides that Ann keeps the lamp.',
  'No further details, Karl keeps the lamp.',
  'Nothing new, Karl keeps the lamp.',
  'No changes to the timetable were announced.',
  `No new information. ${'No new information. '.repeat(30)}`,
])('%s says something else', (text) => {
  expect(saysNothingNew(text)).toBe(false)
})
