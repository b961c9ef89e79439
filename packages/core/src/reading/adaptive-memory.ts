/**
 * Adaptive memory: it starts with the budget of the profile, doubles while it is full, at the expense of the chunk, and halves
 * again when most of it has been empty for a while. Which budget a chunk is read with depends on the memories before it alone, so a
 * resumed reading goes on as if it had never stopped.
 */
import type { WindowBudget } from '../chat/profile.ts'

/** More of it than this is full. */
const full = 3 / 4
/** No more of it than this is nearly empty: what is in one of four slots fits in a slot of half the size. */
const empty = 1 / 8
/** Steps in a row after which a nearly empty memory shrinks. */
const patience = 16

/** The smallest chunk that makes room for a memory. @param chunk of the profile */
export const leastChunk = (chunk: number): number => Math.ceil(chunk / 4)

/** What a checkpoint keeps. */
export interface MemorySize {
  /** Tokens of the memory's budget. */
  readonly memory: number
  /** Steps in a row that left it nearly empty. */
  readonly emptySteps: number
}

/**
 * The budgets that a reading may have, the smallest memory first.
 * @param chunkBeside tokens that the window has for a chunk beside a memory of so many
 * @param hasOneChunkSize chunks are cut the same whatever the memory has: for workflows that go back to them
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

  /** @param saved of a memory that has grown: the smallest of these that holds as much, or the largest */
  constructor(budgets: readonly WindowBudget[], saved?: MemorySize) {
    this.#budgets = budgets
    const level = budgets.findIndex(({ memory }) => memory >= (saved?.memory ?? 0))
    this.#level = level < 0 ? budgets.length - 1 : level
    this.#emptySteps = level > 0 && this.budget.memory === saved?.memory ? saved.emptySteps : 0
  }

  /** What the next chunk is cut and read with. */
  get budget(): WindowBudget {
    return this.#budgets[this.#level]!
  }

  get size(): MemorySize {
    return { memory: this.budget.memory, emptySteps: this.#emptySteps }
  }

  /** A step has left a memory of so many tokens. @returns whether the budget is another one now */
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

/** Whether a reading with these budgets can have come to this. */
export const isMemorySize = (size: MemorySize, budgets: readonly WindowBudget[]): boolean => {
  const level = levelOf(budgets, size)
  return level >= 0 && size.emptySteps < (level === 0 ? 1 : patience)
}

const levelOf = (budgets: readonly WindowBudget[], { memory }: MemorySize): number =>
  budgets.findIndex((budget) => budget.memory === memory)
