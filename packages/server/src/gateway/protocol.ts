/** What a protocol adds to the gateway: how to read requests, and write replies and streams. Types only. */

import type { ConversationRequest, ConversationTurn, Sampling } from '@memagent/core'
import type { z } from 'zod'
import type { Completion } from './completion.ts'

/** A file that was uploaded before, or comes with the request. */
export type AttachedFile = { readonly name?: string | undefined } & (
  | { readonly fileId: string }
  | { readonly base64: string }
  | { readonly text: string }
)

export type RequestPart = string | AttachedFile

export interface RequestTurn {
  readonly role: ConversationTurn['role']
  readonly name?: string | undefined
  readonly isBeside?: ConversationTurn['isBeside']
  readonly parts: readonly RequestPart[]
}

export interface ProtocolRequest extends Omit<ConversationRequest, 'turns'> {
  readonly model: string
  readonly turns: readonly RequestTurn[]
  /** The field that holds the turns. */
  readonly turnsField: 'messages' | 'input'
  readonly sampling: Sampling
  readonly streams: boolean
  /** The client wants nothing to be kept. */
  readonly isPrivate: boolean
}

export interface Protocol<Body extends z.ZodType, Request extends ProtocolRequest> {
  readonly body: Body
  readonly requestOf: (body: z.infer<Body>) => Request
  /** Schema of a reply that is not streamed. */
  readonly reply: z.ZodType
  /** @param created seconds since 1970 */
  readonly replyTo: (request: Request, created: number) => Reply
  /** Sent now and then while a stream has nothing to say. */
  readonly keepAlive: string
}

export interface Reply {
  whole(completion: Completion): object
  stream(send: Send): ReplyStream
}

/** Sends an event: text as it is, anything else as JSON. @param name of the event, if the protocol names them */
export type Send = (data: object | string, name?: string) => Promise<void>

/** The parts of a stream, in order: the start, reasoning as it comes, the end or the failure. */
export interface ReplyStream {
  start(): Promise<void>
  reasoning(text: string): Promise<void>
  end(completion: Completion): Promise<void>
  fail(error: unknown): Promise<void>
}
