/** The public surface of @memagent/tasks: explicit named exports only. */
export {
  type DecoyStyle,
  type Fact,
  type FactOptions,
  kindNamed,
  makeDecoy,
  makeFact,
  type Question,
  type TemplateChoice,
} from './facts/facts.ts'
export type { FactKind, Template } from './facts/kind.ts'
export { factKinds } from './facts/kinds/registry.ts'
export type { Name, SubjectClass } from './facts/names.ts'
export { poolOf, type Split } from './facts/pools.ts'
export { createRandom, hashText, type Random, type RandomKey } from './random.ts'
export type { Sample, SampleRequest, Task } from './task.ts'
