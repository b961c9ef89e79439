/** What the file of a method exports to the registry. Types only. */
import type { ModelSettings } from '@memagent/core'
import type { z } from 'zod'
import type { Method } from '../method.ts'

/** Settings for endpoints other than the chat model's; `baseUrl` is the chat model's server, if it has one. */
export type MethodSettings = Pick<ModelSettings, 'baseUrl' | 'environment' | 'fetch' | 'retry' | 'onWait'>

export interface MethodFactory<Schema extends z.ZodObject = z.ZodObject> {
  /** One line for reports and help texts. */
  readonly description: string
  /** Replaces the name asked for, which may be a path. @default the name asked for */
  readonly ownName?: string | undefined
  /** Options by name; values may be texts from a command line. */
  readonly options: Schema
  /** Options that affect only speed, not the answer; they are left out of the method's name. @default none */
  readonly unnamed?: readonly (keyof z.output<Schema> & string)[]
  /** Options that may be a path; the method's name has its last part. @default none */
  readonly paths?: readonly (keyof z.output<Schema> & string)[]
  /** @throws ConfigurationError when the settings lack something the method needs */
  create(name: string, options: z.output<Schema>, settings: MethodSettings): Method | Promise<Method>
}
