/** The public surface of @memagent/core: explicit named exports only. */
export type * from './chat/chat.ts'
export type { ModelProfile, WindowBudget } from './chat/profile.ts'
export type { Chunk, SourceRange } from './chunking/chunker.ts'
export type { Document, TextPiece } from './documents/document.ts'
export type { ErrorOptions } from './errors.ts'
export {
  ChatError,
  ChatTimeoutError,
  CheckpointError,
  ConfigurationError,
  DocumentError,
  MemAgentError,
  OverlongPromptError,
  RateLimitedError,
  TaskError,
  TemplateError,
  TokenizerError,
  TruncatedPromptError,
  WorkflowError,
} from './errors.ts'
export type { ReadingEvent, ReadingUsage, WorkflowEvent } from './reading/events.ts'
export type { Tokenizer } from './tokenizers/tokenizer.ts'
export type { Prompts } from './workflows/prompts.ts'
export type {
  Answer,
  Conversation,
  ConversationTag,
  Json,
  MemoryLog,
  ReadingContext,
  Workflow,
} from './workflows/workflow.ts'
