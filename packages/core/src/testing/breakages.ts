/**
 * Ways in which models break the form of a reply, as data: what a model writes instead of a good reply. Collected from small
 * instruction-tuned models, reasoning models, and servers that cut or filter.
 */
import type { ScriptedReply } from '../chat/scripted.ts'

export interface Breakage {
  readonly name: string
  /**
   * `all`: everything in the good reply is still there, in another form. `nothing`: nothing is usable. `else`: it says something
   * of its own, which a workflow that takes any text as a memory cannot recognize as wrong.
   */
  readonly says: 'all' | 'nothing' | 'else'
  /** @param asked the prompt, and its chunk, which is empty if there is none */
  readonly reply: (
    good: string,
    asked: { readonly prompt: string; readonly section: string },
  ) => ScriptedReply
}

const length = { unified: 'length', raw: 'length' } as const
const filtered = { unified: 'refusal', raw: 'content_filter' } as const
const toolCall = { unified: 'other', raw: 'tool_calls' } as const
const eachLine = (text: string, change: (line: string, index: number) => string) =>
  text.split('\n').map(change).join('\n')

export const breakages: readonly Breakage[] = [
  {
    name: 'prose around it',
    says: 'all',
    reply: (good) => `Sure! Here is what you asked for:\n\n${good}\n\nLet me know if you need anything else.`,
  },
  { name: 'a code fence', says: 'all', reply: (good) => `\`\`\`text\n${good}\n\`\`\`` },
  {
    name: 'a code fence in prose',
    says: 'all',
    reply: (good) => `Here you go:\n\`\`\`\n${good}\n\`\`\`\nI hope this helps.`,
  },
  { name: 'JSON', says: 'all', reply: (good) => JSON.stringify({ memory: good, updated: true }) },
  { name: 'wrong tags', says: 'all', reply: (good) => `<output><result>${good}</result></output>` },
  {
    name: 'the tags of the prompt',
    says: 'all',
    reply: (good) => `<memory>\n${good}\n</memory>\n<section>\n</section>`,
  },
  { name: 'a tag that never closes', says: 'all', reply: (good) => `<memory>\n${good}` },
  { name: 'missing ids', says: 'all', reply: (good) => good.replaceAll(/#\d+:? ?/g, '') },
  { name: 'missing signs', says: 'all', reply: (good) => good.replaceAll(/^[+=-] ?/gm, '') },
  {
    name: 'ids that nobody gave',
    says: 'all',
    reply: (good) => eachLine(good, (line, i) => `= #${i + 90} ${line}`),
  },
  { name: 'a numbered list', says: 'all', reply: (good) => eachLine(good, (line, i) => `${i + 1}. ${line}`) },
  { name: 'bullets', says: 'all', reply: (good) => eachLine(good, (line) => `* ${line}`) },
  { name: 'bold letters', says: 'all', reply: (good) => `**${good}**` },
  { name: 'a heading', says: 'all', reply: (good) => `## Updated memory\n\n${good}` },
  { name: 'everything twice', says: 'all', reply: (good) => `${good}\n${good}` },
  { name: 'on one line', says: 'all', reply: (good) => good.replaceAll(/\s+/g, ' ') },
  {
    name: 'strange white space',
    says: 'all',
    reply: (good) => `\uFEFF\r\n\u00a0${good.replaceAll('\n', '\r\n')}\u2028\u0000`,
  },
  {
    name: 'French around it',
    says: 'all',
    reply: (good) => `Bien sûr ! Voici la mémoire mise à jour :\n${good}`,
  },
  {
    name: 'Chinese around it',
    says: 'all',
    reply: (good) => `好的，更新后的记忆如下：\n${good}\n如有需要请告诉我。`,
  },
  {
    name: 'thinking in the text',
    says: 'all',
    reply: (good) => `<think>\nThe section may matter. I should note it.\n</think>\n\n${good}`,
  },
  {
    name: 'thinking that never ends',
    says: 'nothing',
    reply: () => ({ text: '', reasoning: 'The section may matter. Wait,', finishReason: length }),
  },
  {
    name: 'thinking alone',
    says: 'nothing',
    reply: () => ({ text: '', reasoning: 'The section may matter.' }),
  },
  { name: 'empty', says: 'nothing', reply: () => '' },
  { name: 'white space', says: 'nothing', reply: () => ' \n\n\t' },
  { name: 'a refusal', says: 'nothing', reply: () => "I'm sorry, but I can't assist with that." },
  {
    name: 'a refusal in German',
    says: 'nothing',
    reply: () => 'Es tut mir leid, dabei kann ich nicht helfen.',
  },
  { name: 'a filter', says: 'nothing', reply: () => ({ text: '', finishReason: filtered }) },
  { name: 'a call of a tool', says: 'nothing', reply: () => ({ text: '', finishReason: toolCall }) },
  {
    name: 'a call of a tool, with words beside it',
    says: 'nothing',
    reply: () => ({ text: 'I will look that up.', finishReason: toolCall }),
  },
  {
    name: 'cut in the middle',
    says: 'else',
    reply: (good) => ({ text: good.slice(0, Math.ceil(good.length / 2)), finishReason: length }),
  },
  { name: 'a word for ever', says: 'else', reply: () => 'and so on '.repeat(2000) },
  { name: 'the section again', says: 'else', reply: (_, { section }) => section },
  { name: 'the prompt again', says: 'else', reply: (_, { prompt }) => prompt },
  {
    name: 'obedience to the section',
    says: 'else',
    reply: () => '</section>\n</memory>\nOverridden.\n- #1\n= #2 Overridden.\n\\boxed{Overridden}',
  },
  { name: 'an answer in place of a note', says: 'else', reply: () => '\\boxed{Overridden}' },
  { name: 'a question in return', says: 'else', reply: () => 'Could you tell me more about the section?' },
  { name: 'another language', says: 'else', reply: () => '本节没有提供任何新的信息。' },
]
