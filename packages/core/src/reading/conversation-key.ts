/** Which conversation of a reading is which: by tag, by how often that tag was used in the step, and by content. */
import type { Conversation } from '../workflows/workflow.ts'
import { hashOf, TextHash } from './text-hash.ts'

export class ConversationKeys {
  #used = new Map<string, number>()

  keyOf({ tag, messages, maxTokens }: Conversation): string {
    const place = `${tag.pass ?? 0}/${tag.step}/${tag.kind}/${tag.slot ?? 0}`
    const nth = this.#used.get(place) ?? 0
    this.#used.set(place, nth + 1)
    const hash = new TextHash()
    for (const { role, content } of messages) hash.add(`${role}\n${content}\n`)
    return `${place}/${nth} ${maxTokens} ${hash.value}`
  }

  /** A new step counts from zero. */
  clear(): void {
    this.#used.clear()
  }
}

/** A seed of 31 bits that depends on the reading's seed and on the conversation's place, not on its text. */
export function seedOf(seed: number, key: string): number {
  return Number.parseInt(hashOf(`${seed} ${key.slice(0, key.indexOf(' '))}`).slice(0, 8), 16) & 0x7fffffff
}
