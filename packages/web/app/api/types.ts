/** What the server's run API gives. Times are milliseconds since 1970. Types only. */

export type RunState = 'waiting' | 'running' | 'unfinished' | 'finished'
export type RunOutcome = 'found' | 'not-found' | 'unsure' | 'notes' | 'answers'

export interface OneResult {
  readonly answer?: string
  readonly outcome: Exclude<RunOutcome, 'answers'>
}

export interface Run {
  readonly id: string
  readonly state: RunState
  readonly question?: string
  readonly questions?: readonly string[]
  readonly document: string
  /** Uploads that are read. */
  readonly files?: readonly { readonly id: string; readonly name: string }[]
  readonly model: string
  readonly workflow: string
  readonly createdMs: number
  readonly updatedMs: number
  readonly steps: number
  readonly bytes?: number
  readonly sizeBytes?: number
  readonly chunksPerSecond?: number
  readonly secondsLeft?: number
  readonly outcome?: RunOutcome
  readonly failure?: { readonly code: string; readonly message: string; readonly hint?: string }
  readonly result?: OneResult | { readonly answers: readonly (OneResult & { readonly question: string })[] }
  readonly remarks?: readonly string[]
}

export interface RunList {
  readonly runs: readonly Run[]
  readonly next?: string
}

export interface StepEvent {
  readonly step: number
  /** If there are several, from 0. */
  readonly question?: number
  readonly ranges: readonly {
    readonly file: string
    readonly startByte: number
    readonly endByte: number
    readonly from?: string
    readonly to?: string
  }[]
  readonly memories: readonly {
    readonly slot?: number
    /** If it changed. */
    readonly memory?: string
    /** In the first step, if the reading continues a memory. */
    readonly previous?: string
    readonly changed: boolean
    readonly origin: string
  }[]
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

export interface Model {
  readonly id: string
  readonly workflow: string
  readonly window: number
  readonly workflows: readonly string[]
  /** The workflows it was trained for; undefined: the model does not say. */
  readonly trainedFor?: readonly string[]
}

/** What a reading would take. */
export interface Estimate {
  readonly bytes: number
  readonly tokens: number
  /** False: tokens are estimated by characters. */
  readonly isExact: boolean
  readonly chunks: number
  readonly calls: number
  readonly mostCalls: number
  readonly mostPromptTokens: number
  readonly mostCompletionTokens: number
  /** Undefined: this server has asked the model nothing yet. */
  readonly seconds?: number
  readonly secondsForMostCalls?: number
  readonly mostPrice?: number
}

export interface UploadedFile {
  readonly id: string
  readonly bytes: number
  readonly filename: string
}

export interface FileText {
  readonly name: string
  /** Where the text begins: at a whole character. */
  readonly startByte: number
  readonly text: string
  readonly marks: readonly { readonly startByte: number; readonly place: string }[]
  readonly nextByte?: number
  readonly remarks: readonly string[]
}

export interface Session {
  readonly name: string
  readonly question?: string
  readonly model: string
  readonly workflow: string
  readonly createdMs: number
  readonly updatedMs: number
  readonly readingCount: number
  readonly documentCount: number
  readonly steps: number
  /** The run of a reading that is not finished. */
  readonly unfinished?: string
}

export interface WholeSession extends Session {
  readonly memory: string
  readonly readings: readonly Run[]
  readonly documents: readonly {
    readonly name: string
    readonly sizeBytes: number
    /** The reading that it belongs to, from 1. */
    readonly reading: number
    readonly isRead: boolean
    readonly isPart: boolean
  }[]
}

/** The result of a request to read into a session. */
export interface SessionRead {
  /** Undefined: nothing is new. */
  readonly run?: Run
  readonly read: readonly string[]
  readonly known: readonly string[]
  readonly changed: readonly string[]
  readonly copies: readonly { readonly name: string; readonly of: string }[]
}

export interface ReportSummary {
  readonly id: string
  readonly name: string
  readonly kind: 'benchmark' | 'training'
  readonly bytes: number
  readonly modifiedMs: number
}

export interface ReportList {
  /** False: the server has no folder for reports. */
  readonly isSet: boolean
  readonly reports: readonly ReportSummary[]
}

export interface ReportTable {
  readonly type: 'table'
  readonly caption: string
  readonly columns: readonly { readonly title: string; readonly kind?: 'text' | 'number' }[]
  readonly rows: readonly {
    readonly group?: string
    readonly cells: readonly (string | { readonly value: string; readonly notes: readonly string[] })[]
  }[]
}

export type ReportBlock =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string; readonly tone?: 'plain' | 'warning' }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | ReportTable
  | {
      readonly type: 'figure'
      readonly caption: string
      readonly plots: readonly { readonly title: string; readonly svg: string }[]
    }

export interface Report extends ReportSummary {
  /** What every number in it is of. */
  readonly of: string
  readonly blocks: readonly ReportBlock[]
}
