/** Everything before the first call: settings and their defaults, the checkpoint, and whether it all fits. */
import type { ModelProfile } from '../chat/profile.ts'
import { chooseSampling, type Sampling } from '../chat/sampling.ts'
import type { TextDocument } from '../documents/document.ts'
import { isShown } from '../documents/require-text.ts'
import { ConfigurationError } from '../errors.ts'
import { checkedTokenizer } from '../tokenizers/checked-tokenizer.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { untilAborted } from '../waiting.ts'
import { type Prompts, promptsFor } from '../workflows/prompts/prompts.ts'
import { defaultWorkflowOf, profileFor, workflowIdentity } from '../workflows/registry.ts'
import type { Json, Workflow } from '../workflows/workflow.ts'
import { AdaptiveMemory, adaptiveBudgets, isMemorySize } from './adaptive-memory.ts'
import { checkCourse } from './check-course.ts'
import { checkOptions } from './check-options.ts'
import { checkProfile } from './check-profile.ts'
import { checkedStore } from './checked-store.ts'
import { checkedWorkflow } from './checked-workflow.ts'
import type { Checkpoint } from './checkpoint.ts'
import { type EarlierReadings, stateOrigin } from './earlier-readings.ts'
import type { ReadingOptions } from './options.ts'
import { checkedCheckpoint, damagedCheckpoint } from './parse-checkpoint.ts'
import { earlierReadings, type ReadingStart, requireGoingOn, startIdentity } from './reading-start.ts'
import { type RestoredLog, restoreLog } from './restore-log.ts'
import { checkIdentity, type RunIdentity, weightsIdentity } from './run-identity.ts'
import { checkWindow, chunksBeside } from './window.ts'

export interface PreparedReading<State extends Json> {
  readonly workflow: Workflow<State>
  readonly profile: ModelProfile
  readonly prompts: Prompts
  readonly tokenizer: Tokenizer
  readonly sampling: Sampling
  readonly signal: AbortSignal
  readonly identity: RunIdentity
  readonly saved: Checkpoint | undefined
  readonly log: RestoredLog | undefined
  readonly state: State
  /** Undefined if this reading is the first. */
  readonly earlier: EarlierReadings | undefined
  /** The reading ends with its memory, without an answer. */
  readonly endsWithMemory: boolean
  /** Undefined if the memory's budget is fixed. */
  readonly adaptiveMemory: AdaptiveMemory | undefined
}

/** @throws ConfigurationError, CheckpointError, ChatError and DocumentError as `readDocument` does before its first event */
export async function prepareReading<State extends Json>(
  options: ReadingOptions<State>,
): Promise<PreparedReading<State>> {
  checkOptions(options)
  const { question, document, model } = options
  const checkpoints = options.checkpoints && checkedStore(options.checkpoints)
  const { signal = new AbortController().signal } = options
  const given = options.profile === undefined ? model.profile : options.profile
  if (given !== undefined) checkProfile(given)
  const tokenizer = checkedTokenizer(options.tokenizer ?? model.tokenizer ?? createEstimateTokenizer())
  const workflow = checkedWorkflow(
    (options.workflow ?? (await defaultWorkflowOf(given ?? {}))) as Workflow<State>,
  )
  const profile = given ?? profileFor(workflow)
  const prompts = promptsFor(workflow, profile.prompts)
  const sampling = chooseSampling(options.sampling, profile.sampling, { seed: 0 })
  if (question !== undefined && !isShown(question)) {
    throw new ConfigurationError({
      code: 'reading/no-question',
      message: 'The question is empty.',
      hint: 'Leave it out to take general notes (memagent notes), or to ask the question of a session.',
    })
  }
  requirePasses(workflow, document)
  const endsWithMemory = question === undefined || options.answers === false
  if (options.start || options.answers === false) requireGoingOn(workflow)
  signal.throwIfAborted()
  // A fingerprint reads the whole text, so it is taken only if there is a store.
  const fingerprint = checkpoints && (await document.fingerprint?.(signal))
  const weights = checkpoints && (await untilAborted(weightsIdentity(model, signal), signal))
  const settings = { workflow, profile, prompts, tokenizer, sampling }
  const identity = identityOf(options, settings, { document: fingerprint ?? document.name, weights })
  const loaded = checkpoints && (await untilAborted(checkpoints.load(identity), signal))
  // A custom store may not have checked it.
  const saved = loaded && checkedCheckpoint(loaded, checkpoints?.name)
  if (saved) {
    // Notes do not depend on the answer's budget: an answer that was cut can be asked for again with a larger one.
    const { answerBudget = null } = saved.identity
    checkIdentity(saved.identity, saved.answer ? identity : { ...identity, answerBudget })
    checkCourse(saved, { workflow, question, path: checkpoints?.name })
  }
  // A finished run needs neither the model nor its window.
  const isFinished = saved?.answer || (saved?.isDone && endsWithMemory)
  if (!isFinished) {
    await untilAborted(checkWindow({ model, profile, workflow, tokenizer, question, signal }), signal)
  }
  const adaptiveMemory = isFinished ? undefined : await adaptiveMemoryOf(settings, options, saved)
  const { start } = options
  const own = saved && checkpoints && (await untilAborted(restoreLog(saved, checkpoints), signal))
  const log = start ? logAfter(start, own) : own
  const state = (saved?.state ?? firstState(workflow, options)) as State
  const earlier = saved ? saved.earlier : start && earlierReadings(start)
  return { ...settings, signal, identity, saved, log, state, earlier, endsWithMemory, adaptiveMemory }
}

const logAfter = ({ memories }: ReadingStart, own: RestoredLog | undefined): RestoredLog => ({
  conversations: new Map(),
  events: [],
  ...own,
  memories: [...memories, ...(own?.memories ?? [])],
})

async function adaptiveMemoryOf<State extends Json>(
  { workflow, profile, tokenizer }: Pick<PreparedReading<State>, 'workflow' | 'profile' | 'tokenizer'>,
  { model, question, document, checkpoints, start }: ReadingOptions<State>,
  saved: Checkpoint | undefined,
): Promise<AdaptiveMemory | undefined> {
  if (!profile.adaptsMemory) return undefined
  if (!document.isReopenable) {
    throw new ConfigurationError({
      code: 'reading/read-once',
      message: `${document.name} can be read only once: where the memory adapts, the text is opened again when its size changes.`,
      hint: 'Save it to a file, or read with a memory of one size.',
    })
  }
  const chunkBeside = await chunksBeside({ model, profile, workflow, tokenizer, question })
  const budgets = adaptiveBudgets(profile.budget, chunkBeside, workflow.run !== undefined)
  const { memorySize } = saved ?? {}
  const before = start?.memorySize
  if (!saved) return new AdaptiveMemory(budgets, before)
  if (!(memorySize && isMemorySize(memorySize, budgets))) {
    throw damagedCheckpoint(checkpoints?.name, 'its size of the memory is none that this run can have')
  }
  return new AdaptiveMemory(budgets, memorySize)
}

/** Throws before anything is spent on a first pass that cannot be followed by a second. */
function requirePasses(
  { name, passes = 1 }: Pick<Workflow, 'name' | 'passes'>,
  document: Pick<TextDocument, 'name' | 'isReopenable'>,
): void {
  if (passes === 1 || document.isReopenable) return
  throw new ConfigurationError({
    code: 'reading/read-once',
    message: `The workflow ${name} reads a text up to ${passes} times, and ${document.name} can be read only once.`,
    hint: 'Save it to a file, or choose a workflow that reads it once (--workflow overwrite).',
    details: { workflow: name, passes },
  })
}

function identityOf<State extends Json>(
  { question, model, memory, start, answers }: ReadingOptions<State>,
  settings: Pick<PreparedReading<State>, 'workflow' | 'profile' | 'prompts' | 'tokenizer' | 'sampling'>,
  { document, weights }: { readonly document: string; readonly weights: string | undefined },
): RunIdentity {
  const { workflow, profile, prompts, tokenizer, sampling } = settings
  const { seed = 0, temperature = null, topP = null } = sampling
  const { window, output, ...budgetOfNotes } = profile.budget
  return {
    document,
    ...(question === undefined ? {} : { question }),
    model: model.name,
    ...(weights === undefined ? {} : { weights }),
    workflow: workflowIdentity(workflow),
    profile: {
      prompts: prompts.identity,
      chunking: profile.chunking ?? 'natural',
      ...budgetOfNotes,
      // The largest memory depends on the window.
      ...(profile.adaptsMemory && { adaptsMemory: true, window }),
    },
    answerBudget: { window, output },
    tokenizer: tokenizer.name,
    sampling: { seed, temperature, topP },
    ...(memory === undefined ? {} : { memory }),
    ...(start && { start: startIdentity(start) }),
    ...(question !== undefined && answers === false && { ends: 'memory' }),
  }
}

function firstState<State extends Json>(
  workflow: Workflow<State>,
  { question, memory, start }: ReadingOptions<State>,
): State {
  if (start) return stateAtStart(workflow, start)
  const state = workflow.init(question)
  if (memory === undefined) return state
  if (workflow.withMemory) return workflow.withMemory(state, memory)
  throw new ConfigurationError({
    code: 'reading/no-start-memory',
    message: `The workflow ${workflow.name} cannot start from a memory.`,
  })
}

/** @throws ConfigurationError for a state of another workflow */
function stateAtStart<State extends Json>(workflow: Workflow<State>, start: ReadingStart): State {
  const { state } = start
  if (workflow.isState(state, stateOrigin(earlierReadings(start), undefined, { steps: 0 }))) return state
  throw new ConfigurationError({
    code: 'reading/another-state',
    message: `The memory to go on from is none of the workflow ${workflow.name}.`,
    hint: 'Go on with the workflow that it was written with.',
  })
}
