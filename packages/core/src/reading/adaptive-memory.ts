/**
 * Adaptive memory: starts with the budget of the profile, doubles while it is full, at the expense of the chunk, and halves again
 * when most of it has been empty for a while. The budget for a chunk depends only on the memories before it, so a resumed reading
 * goes on as if it had never stopped.
 */
import type { WindowBudget } from '../chat/profile.ts'

/** A memory with more than this share in use is full. */
const full = 3 / 4
/** A memory with at most this share in use is nearly empty: what is in one of four slots fits in a slot of half the size. */
const empty = 1 / 8
/** Consecutive steps after which a nearly empty memory shrinks. */
const patience = 16

/** The smallest chunk that may make room for a memory. @param chunk of the profile */
export const leastChunk = (chunk: number): number => Math.ceil(chunk / 4)

/** The part of the state that a checkpoint keeps. */
export interface MemorySize {
  /** Tokens of the memory's budget. */
  readonly memory: number
  /** Consecutive steps that left it nearly empty. */
  readonly emptySteps: number
}

/**
 * The budgets that a reading may have, the smallest memory first.
 * @param chunkBeside the room for a chunk beside a memory, in tokens
 * @param hasOneChunkSize the chunk is the same with every memory, for workflows that go back to chunks
 */
export function adaptiveBudgets(
  budget: WindowBudget,
  chunkBeside: (memory: number) => number,
  hasOneChunkSize: boolean,
): readonly WindowBudget[] {
  const budgets = [budget]
  for (let memory = 2 * budget.memory; memory < budget.window; memory *= 2) {
    const chunk = Math.min(budget.chunk, chunkBeside(memory))
    if (chunk < leastChunk(budget.chunk)) break
    budgets.push({ ...budget, memory, chunk })
  }
  const { chunk } = budgets.at(-1)!
  return hasOneChunkSize ? budgets.map((one) => ({ ...one, chunk })) : budgets
}

export class AdaptiveMemory {
  readonly #budgets: readonly WindowBudget[]
  #level: number
  #emptySteps: number

  /** @param saved size to go on from: the smallest budget that holds as much, or the largest */
  constructor(budgets: readonly WindowBudget[], saved?: MemorySize) {
    this.#budgets = budgets
    const level = budgets.findIndex(({ memory }) => memory >= (saved?.memory ?? 0))
    this.#level = level < 0 ? budgets.length - 1 : level
    this.#emptySteps = level > 0 && this.budget.memory === saved?.memory ? saved.emptySteps : 0
  }

  /** The budget to cut and read the next chunk with. */
  get budget(): WindowBudget {
    return this.#budgets[this.#level]!
  }

  get size(): MemorySize {
    return { memory: this.budget.memory, emptySteps: this.#emptySteps }
  }

  /** Call after each step with the tokens of its memory. @returns whether the budget has changed */
  observe(tokens: number): boolean {
    const { memory } = this.budget
    const before = this.#level
    if (tokens > full * memory) this.#level = Math.min(before + 1, this.#budgets.length - 1)
    this.#emptySteps = before > 0 && tokens <= empty * memory ? this.#emptySteps + 1 : 0
    if (this.#emptySteps === patience) this.#level--
    if (this.#level !== before) this.#emptySteps = 0
    return this.#level !== before
  }
}

/** Whether a reading with these budgets can have reached this size. */
export const isMemorySize = (size: MemorySize, budgets: readonly WindowBudget[]): boolean => {
  const level = levelOf(budgets, size)
  return level >= 0 && size.emptySteps < (level === 0 ? 1 : patience)
}

const levelOf = (budgets: readonly WindowBudget[], { memory }: MemorySize): number =>
  budgets.findIndex((budget) => budget.memory === memory)
