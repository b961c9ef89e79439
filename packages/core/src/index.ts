/** The public surface of @memagent/core: explicit named exports only. */
import './supported-runtime.ts'

export { canonicalJson } from './canonical-json.ts'
export { hideAddresses, showAddress } from './chat/address-text.ts'
export { askModel, checkedResult } from './chat/ask-model.ts'
export { askedWaitMs } from './chat/asked-wait.ts'
export type * from './chat/chat.ts'
export { ChatTemplate, type ChatTemplateOptions, type RenderOptions } from './chat/chat-template.ts'
export { checkCall } from './chat/check-call.ts'
export { createConcurrencyLimit, createGate } from './chat/concurrency-limit.ts'
export { concurrently } from './chat/concurrently.ts'
export { answeringFromCache, type ConversationCache } from './chat/conversation-cache.ts'
export { type ConversationTokens, createConversationTokens } from './chat/conversation-tokens.ts'
export { showDuration } from './chat/duration-text.ts'
export {
  ollamaUrlFromEnvironment,
  openAIBaseUrl,
  type ServerEnvironment,
  serverFromEnvironment,
} from './chat/environment.ts'
export { parseHeaders } from './chat/headers.ts'
export { mayBeKept, withoutKeys } from './chat/kept-address.ts'
export type { KeptReply } from './chat/kept-reply.ts'
export { createLlamaCppModel, type LlamaCppModel, type LlamaCppOptions } from './chat/llama-cpp.ts'
export type * from './chat/message.ts'
export { createOllamaModel, type OllamaOptions } from './chat/ollama.ts'
export { createOpenAICompatibleModel, type OpenAICompatibleOptions } from './chat/openai-compatible.ts'
export {
  type BudgetChanges,
  isTrainedFor,
  type ModelProfile,
  paperProfile,
  profileFileBeside,
  trainedFor,
  type WindowBudget,
  withBudget,
} from './chat/profile.ts'
export { promptTokens, templateReserve } from './chat/prompt-tokens.ts'
export { type SplitResponse, splitReasoning } from './chat/reasoning.ts'
export { createRedactor, redactedCause } from './chat/redactor.ts'
export {
  type ChatBackend,
  type ChatBackends,
  type ChatModelFactory,
  chatBackends,
  createChatModel,
  type ModelSettings,
  type ModelSpec,
  parseModelSpec,
} from './chat/registry.ts'
export type { RetryPolicy } from './chat/retry.ts'
export { checkSampling, chooseSampling, type Sampling } from './chat/sampling.ts'
export {
  createScriptedModel,
  type Script,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
} from './chat/scripted.ts'
export { listServedModels, type ServedModelsOptions } from './chat/served-models.ts'
export type { ServerModelOptions } from './chat/server-model.ts'
export { strongHash } from './chat/strong-hash.ts'
export { type ChunkingOptions, chunkDocument } from './chunking/chunk-document.ts'
export type { Chunk, SourceRange } from './chunking/chunker.ts'
export { conversationDocument } from './conversations/conversation-document.ts'
export {
  type ConversationReadingOptions,
  conversationReading,
} from './conversations/conversation-reading.ts'
export type {
  ConversationPart,
  ConversationReader,
  ConversationRequest,
  ConversationTurn,
} from './conversations/conversation-turn.ts'
export { countConversation } from './conversations/count-conversation.ts'
export { createFileNames } from './conversations/file-names.ts'
export {
  answersDirectly,
  type ConversationPlan,
  type DirectPlan,
  planConversation,
  type ReadingPlan,
} from './conversations/plan-conversation.ts'
export type { TextDocument, TextPiece, Unread } from './documents/document.ts'
export { binary, PieceDecoder } from './documents/piece-decoder.ts'
export { type Position, type PositionMark, positionAt, positionText } from './documents/position.ts'
export { type FoundKind, notText, recognize, recognizedKinds, tellingBytes } from './documents/recognize.ts'
export { requireText, tellsUnread } from './documents/require-text.ts'
export {
  createStreamDocument,
  createTextDocument,
  type DecodingOptions,
  decodeStream,
  readOnce,
} from './documents/text-document.ts'
export { endOfPiece, utf8Length } from './documents/utf-8.ts'
export {
  createOpenAIEmbeddings,
  type EmbeddingModel,
  type Embeddings,
  type OpenAIEmbeddingsOptions,
} from './embeddings/openai-embeddings.ts'
export type { MemAgentErrorOptions } from './errors.ts'
export {
  ChatError,
  ChatTimeoutError,
  CheckpointError,
  ConfigurationError,
  ConversationError,
  DocumentError,
  LimitError,
  MemAgentError,
  NoAnswerError,
  OverlongPromptError,
  RateLimitedError,
  TaskError,
  TemplateError,
  TokenizerError,
  TruncatedPromptError,
  WorkflowError,
} from './errors.ts'
export { isModulePath } from './files/module-path.ts'
export { messageOf } from './message-of.ts'
export type {
  Provenance,
  ProvenanceState,
  SourceQuote,
  TracedStatement,
  Verdict,
} from './provenance/provenance.ts'
export { Tracer } from './provenance/tracer.ts'
export { type VerifiedStatement, verifySources } from './provenance/verify.ts'
export { checkQuestions } from './questions/check-questions.ts'
export { checkpointsOfQuestions } from './questions/kept-readings.ts'
export type { Question, QuestionEvent, QuestionFailed, QuestionsOptions } from './questions/questions.ts'
export { readQuestions } from './questions/read-questions.ts'
export { leastChunk } from './reading/adaptive-memory.ts'
export { checkProfile } from './reading/check-profile.ts'
export {
  type Checkpoint,
  type CheckpointStore,
  createMemoryCheckpointStore,
  type LogEntry,
} from './reading/checkpoint.ts'
export { logEntry } from './reading/checkpoint-shape.ts'
export {
  type ContextOptions,
  createReadingContext,
  defaultConcurrency,
  type StepContext,
} from './reading/context.ts'
export type { EarlierReadings } from './reading/earlier-readings.ts'
export { endOfReading } from './reading/end-shape.ts'
export { type DocumentEstimate, type EstimateOptions, estimateDocument } from './reading/estimate-document.ts'
export {
  chunksOf,
  estimateReading,
  holdsInstructions,
  type ReadingEstimate,
  tokensAtLeast,
} from './reading/estimate-reading.ts'
export type { AnswerEvent, CallUsage, NotesEvent, ReadingEvent, ReadingUsage } from './reading/events.ts'
export { keptAnswer } from './reading/kept-answer.ts'
export { checkLimits, costOf, type ReadingLimits, type TokenPrices } from './reading/limits.ts'
export type { ReadingOptions } from './reading/options.ts'
export { warningsOfAnswer } from './reading/outcome.ts'
export { checkedCheckpoint } from './reading/parse-checkpoint.ts'
export { type NotesResult, type ReadResult, read } from './reading/read.ts'
export { readDocument } from './reading/reader.ts'
export {
  type ReadingStart,
  requireGoingOn,
  startAfter,
} from './reading/reading-start.ts'
export { differencesOf, type RunIdentity } from './reading/run-identity.ts'
export type { UnreadText } from './reading/unread.ts'
export { addCalls, addTokens, totalUsage } from './reading/usage.ts'
export { type ReadingWarning, WarningLog } from './reading/warning-log.ts'
export { type BudgetCheck, checkBudget } from './reading/window.ts'
export { Bm25Ranking, type Ranked } from './retrieval/bm25-ranking.ts'
export { type ByteRange, bytesOf, mergeRanges, rangeOf } from './retrieval/byte-ranges.ts'
export type { EmbeddingSearch } from './retrieval/chunk-search.ts'
export { type EmbedStreamOptions, embedStream } from './retrieval/embed-stream.ts'
export {
  bestThatFit,
  type Passage,
  type PassageOptions,
  type Piece,
  type PieceText,
  passagesOf,
  passageTokensOf,
  readPieces,
  textOf,
} from './retrieval/passages.ts'
export { TopPassages } from './retrieval/top-passages.ts'
export { byteAlphabet } from './tokenizers/byte-alphabet.ts'
export { createEstimateTokenizer } from './tokenizers/estimate.ts'
export { createHuggingFaceTokenizer, type HuggingFaceTokenizer } from './tokenizers/hugging-face.ts'
export { createImmediateCounter, type ImmediateCounter } from './tokenizers/immediate-counter.ts'
export { knownPatterns } from './tokenizers/known-patterns.ts'
export { createServerTokenizer, type ServerTokenizerOptions } from './tokenizers/server.ts'
export type { Tokenizer } from './tokenizers/tokenizer.ts'
export { type Sleep, sleep, timerMs, untilAborted } from './waiting.ts'
export { answerText } from './workflows/answer/answer-text.ts'
export { lastBoxed, notFoundPhrase, type ParsedAnswer, parseAnswer } from './workflows/answer/boxed.ts'
export { endsInClosedBox } from './workflows/answer/closed-box.ts'
export {
  askForAnswer,
  judgeResponse,
  type ResponseVerdict,
  statedAnswer,
} from './workflows/answer/final-answer.ts'
export { unknownEnd } from './workflows/answer/response-flaw.ts'
export {
  applyEdits,
  type Edit,
  type Line,
  parseEdits,
  renderEdits,
  renderLines,
} from './workflows/edits/edit-grammar.ts'
export { type EditsState, edits, editsConfirmed } from './workflows/edits/edits.ts'
export { parseGates, renderGates } from './workflows/gated/gate-grammar.ts'
export { type GatedState, gated, gatedExit } from './workflows/gated/gated.ts'
export { type OverwriteState, overwrite } from './workflows/overwrite/overwrite.ts'
export { parallel } from './workflows/parallel/parallel.ts'
export type { ParallelState } from './workflows/parallel/parallel-state.ts'
export { createNeutralizer } from './workflows/prompts/neutralize.ts'
export {
  definePrompts,
  memoriesIn,
  type PromptPlaces,
  type PromptSet,
  type Prompts,
  parsePromptSet,
  promptsFor,
  promptsIdentity,
  type WorkflowPrompts,
  writtenPrompts,
} from './workflows/prompts/prompts.ts'
export { type RecallState, recall } from './workflows/recall/recall.ts'
export {
  defaultWorkflowOf,
  profileFor,
  workflowIdentity,
  workflowNamed,
  workflowNames,
} from './workflows/registry.ts'
export { acceptMemory } from './workflows/rewritten-memory.ts'
export { createSkim, createSkimEdits, type SkimState, skim, skimEdits } from './workflows/skim/skim.ts'
export { type SlotsState, slots } from './workflows/slots/slots.ts'
export type {
  Answer,
  Conversation,
  ConversationEstimate,
  ConversationTag,
  Gates,
  Json,
  MemoryLog,
  MemoryLogEntry,
  Outcome,
  ReadingContext,
  Recall,
  Workflow,
  WorkflowEvent,
} from './workflows/workflow.ts'
