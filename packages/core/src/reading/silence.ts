/** Detects a model that never writes anything usable, so that this is not mistaken for a text without the answer. */
import type { ChatResult } from '../chat/chat.ts'
import { ChatError } from '../errors.ts'
import { readsAsRefusal } from '../workflows/answer/refusal.ts'

export class Silence {
  #refused = 0
  #cut = 0
  #reasoned = 0
  #written = 0
  #hasHeard = false

  /** Call with every response of the reading. */
  add({ text, reasoning, finishReason }: ChatResult): void {
    this.#hasHeard = true
    if (finishReason.unified === 'refusal' || readsAsRefusal(text)) this.#refused++
    else if (text.trim() === '') {
      if (reasoning !== undefined && reasoning.trim() !== '') this.#reasoned++
      if (finishReason.unified === 'length') this.#cut++
    } else this.#written++
  }

  /** @param hasCheckpoint whether a repeated run would resume after the steps that wrote nothing */
  error(model: string, steps: number, hasCheckpoint = false): ChatError {
    return new ChatError({
      code: 'chat/nothing-said',
      message: `${model} wrote no usable memory in any of ${steps} ${steps === 1 ? 'step' : 'steps'}: ${this.#fault}.`,
      hint: hasCheckpoint
        ? `${this.#hint} Before you ask again, remove the checkpoint or use another one.`
        : this.#hint,
      details: { model, steps, refused: this.#refused, cut: this.#cut, reasoned: this.#reasoned },
    })
  }

  get #fault(): string {
    if (this.#hasHeard && this.#written === 0) return 'every response was empty or a refusal'
    return 'its rewrites were empty, refused, cut by their limit, or not in the form that the workflow asks for'
  }

  get #hint(): string {
    if (this.#reasoned + this.#cut > 0) {
      const spent =
        this.#reasoned > 0
          ? 'It spent its tokens on thinking'
          : 'It reached the token limit before writing any text'
      return `${spent}: switch thinking off on its server, or give it room with a larger --memory and --output (in code: budget).`
    }
    if (!this.#hasHeard) return 'In the run of this checkpoint the model wrote nothing usable.'
    if (this.#written > 0) {
      return 'It does not follow the form of this workflow: try one that asks for less (--workflow overwrite), unless the model was trained for this one, or a model that follows instructions.'
    }
    if (this.#refused > 0) return 'It refused; another question or another model may help.'
    return 'Is it a chat model, served with its chat template? For a reasoning model, switch thinking off or raise --memory.'
  }
}
