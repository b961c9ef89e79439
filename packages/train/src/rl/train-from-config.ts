/** Reinforcement learning from a configuration file: makes engine, workflow and tasks, then runs the trainer. */
import { createHash } from 'node:crypto'
import { ConfigurationError, workflowNamed } from '@memagent/core'
import { contentOfTask, createFolderProse, installedProse, type Task, tasks } from '@memagent/tasks'
import { inLockedFolder } from '../lock-output.ts'
import { readConfig } from '../yaml-config.ts'
import { parseRlConfig, type RlConfig } from './config.ts'
import { type DryRunReport, dryRun } from './dry-run.ts'
import { createTrainingEngine } from './engine.ts'
import { sameQuestionsNotice } from './held-out.ts'
import { type RlEvent, type RlInput, trainRl } from './trainer.ts'

export interface FromConfigOptions {
  readonly signal?: AbortSignal | undefined
  /** Fields to set instead of what the file says: `optimizer.learningRate=1e-4`. */
  readonly settings?: readonly string[] | undefined
  /** As `RlInput.onProgress`. */
  readonly onProgress?: RlInput['onProgress']
}

/**
 * @throws ConfigurationError for an unreadable or invalid file, or when another process trains into the same folder; what
 *   `trainRl` throws
 */
export async function* trainRlFromConfig(
  path: string,
  options: FromConfigOptions = {},
): AsyncGenerator<RlEvent> {
  const config = await configFrom(path, options.settings)
  const message = sameQuestionsNotice(config.task)
  if (message !== undefined) yield { type: 'notice', message }
  yield* inLockedFolder(config.output, async function* () {
    const { signal, onProgress } = options
    yield* trainRl({ ...(await inputFrom(config)), signal, onProgress })
  })
}

/** What the run would cost, without an engine being asked. @throws as `trainRlFromConfig`, and as `dryRun` */
export async function dryRunFromConfig(path: string, options: FromConfigOptions = {}): Promise<DryRunReport> {
  const config = await configFrom(path, options.settings)
  return dryRun({ ...(await inputFrom(config)), signal: options.signal })
}

const configFrom = async (path: string, settings: readonly string[] | undefined): Promise<RlConfig> =>
  parseRlConfig(await readConfig(path, settings), path)

async function inputFrom(config: RlConfig): Promise<Omit<RlInput, 'signal' | 'now'>> {
  const created = await createTasks(config.task)
  const engine = await createTrainingEngine(config)
  const workflow = await workflowNamed(config.workflow)
  return { config, engine, workflow, ...created }
}

async function createTasks(
  settings: RlConfig['task'],
): Promise<Pick<RlInput, 'task' | 'evaluationTask' | 'content'>> {
  if (!Object.hasOwn(tasks, settings.name)) {
    throw new ConfigurationError({
      code: 'train/unknown-task',
      message: `There is no task named ${settings.name}.`,
      hint: `Known: ${Object.keys(tasks).join(', ')}.`,
    })
  }
  const prose = settings.prose ? await createFolderProse(settings.prose) : await installedProse()
  // Options come from a file: the task itself checks them.
  const create = tasks[settings.name as keyof typeof tasks] as (options: object) => Promise<Task>
  const { name, options } = settings
  const evaluationOptions = { ...options, ...settings.evaluationOptions }
  const task = await create({ prose, ...options })
  const evaluationTask = await create({ prose, ...evaluationOptions })
  // The files may be large: those of both are read once.
  const own = evaluationOptions.path === options.path ? [] : [evaluationOptions]
  const contents = await Promise.all([options, ...own].map((each) => contentOfTask(name, each)))
  return {
    task,
    evaluationTask,
    content: createHash('sha256')
      .update(JSON.stringify([prose.fingerprint, ...contents]))
      .digest('hex'),
  }
}
