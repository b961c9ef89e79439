/** Notices a model that never writes anything usable, so that this is not taken for a text without the answer. */
import type { ChatResult } from '../chat/chat.ts'
import { ChatError } from '../errors.ts'
import { readsAsRefusal } from '../workflows/refusal.ts'

export class Silence {
  #refused = 0
  #cut = 0
  #reasoned = 0
  #hasHeard = false

  /** Every response of the reading. */
  add({ text, reasoning, finishReason }: ChatResult): void {
    this.#hasHeard = true
    if (finishReason.unified === 'refusal' || readsAsRefusal(text)) this.#refused++
    else if (text.trim() === '') {
      if (reasoning !== undefined && reasoning.trim() !== '') this.#reasoned++
      if (finishReason.unified === 'length') this.#cut++
    }
  }

  /** @param hasCheckpoint a repeated run would go on behind what nobody said */
  error(model: string, steps: number, hasCheckpoint = false): ChatError {
    return new ChatError({
      code: 'chat/nothing-said',
      message: `${model} wrote no memory that can be used in any of ${steps} ${steps === 1 ? 'step' : 'steps'}: every response was empty or a refusal.`,
      hint: hasCheckpoint
        ? `${this.#hint} Before you ask again, remove the checkpoint or name another one.`
        : this.#hint,
      details: { model, steps, refused: this.#refused, cut: this.#cut, reasoned: this.#reasoned },
    })
  }

  get #hint(): string {
    if (this.#reasoned + this.#cut > 0) {
      const spent =
        this.#reasoned > 0
          ? 'It spent its tokens on thinking'
          : 'It ran into the token limit before a word of text'
      return `${spent}: switch thinking off where it is served, or give it room with a larger --memory and --output (in code: budget).`
    }
    if (!this.#hasHeard) return 'The checkpoint is of a reading in which nothing was said.'
    if (this.#refused > 0) return 'It refused: another question or another model may help.'
    return 'Is it a chat model, served with its chat template? Of one that thinks, thinking must be off or have room: --memory.'
  }
}
