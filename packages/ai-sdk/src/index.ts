/** The public surface of @memagent/ai-sdk: explicit named exports only. */
export { createMemAgentModel, type MemAgentModelOptions } from './memagent-model.ts'
