/** The reply cache as one client sees it: neither speed nor cost of an answer may reveal what others asked. */
import { createHash } from 'node:crypto'
import type { ConversationCache } from '@memagent/core'
import type { Owner } from '../safety/keys.ts'

/** @param owner undefined if no keys are needed: replies are then shared with the commands of the store */
export function ownReplies(replies: ConversationCache, owner: Owner): ConversationCache {
  if (owner === undefined) return replies
  const own = (key: string) =>
    createHash('sha256')
      .update(JSON.stringify([owner, key]))
      .digest('hex')
  return { get: (key) => replies.get(own(key)), put: (key, reply) => replies.put(own(key), reply) }
}
