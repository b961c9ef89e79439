/** Identifies the conversations of a reading: by place and by content. */
import type { Conversation } from '../workflows/workflow.ts'
import { hashOf, TextHash } from './text-hash.ts'

export class ConversationPlaces {
  #used = new Map<string, number>()

  /** The tag, and how often it occurred before in this step. */
  of({ tag }: Conversation): string {
    const place = `${tag.pass ?? 0}/${tag.step}/${tag.kind}/${tag.slot ?? 0}`
    const nth = this.#used.get(place) ?? 0
    this.#used.set(place, nth + 1)
    return `${place}/${nth}`
  }

  /** Counts from zero again, for a new step. */
  clear(): void {
    this.#used.clear()
  }
}

/** The place together with the prompt and limit. */
export function keyOf(place: string, { messages, maxTokens }: Conversation): string {
  const hash = new TextHash()
  for (const { role, content } of messages) hash.add(`${role}\n${content}\n`)
  return `${place} ${maxTokens} ${hash.value}`
}

/** A 31-bit seed that depends on the reading's seed and the conversation's place, not on its text. */
export function seedOf(seed: number, place: string): number {
  return Number.parseInt(hashOf(`${seed} ${place}`).slice(0, 8), 16) & 0x7fffffff
}
