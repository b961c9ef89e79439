/** The check of a state from a checkpoint, as far as built-in workflows have it in common. */
import { aCount, aText, nullable, objectOf, type Shape } from '../json-shape.ts'
import type { Json, StateOrigin } from './workflow.ts'

type AskedState = { readonly question: string | null; readonly steps: number }

type Shapes<State> = { readonly [Name in keyof State]-?: Shape }

/**
 * Checks that a state has this shape, and was reached with the question in as many steps.
 * @param fields besides question and steps
 * @param isRight what else must hold
 * @param mayEndEarly a reading that ended early is left to `isRight`. @default false: it has no such state
 */
export function stateCheck<State extends AskedState & Json>(
  fields: Shapes<Omit<State, keyof AskedState>>,
  isRight: (state: State, origin: StateOrigin) => boolean = () => true,
  mayEndEarly = false,
): (value: Json, origin: StateOrigin) => value is State {
  const shape = objectOf<State>({ question: nullable(aText), steps: aCount, ...fields } as Shapes<State>)
  return (value, origin): value is State => {
    const state = value as State
    return (
      (mayEndEarly || !origin.endedEarly) &&
      shape(value, '') === undefined &&
      state.question === (origin.question ?? null) &&
      state.steps === origin.steps &&
      isRight(state, origin)
    )
  }
}
