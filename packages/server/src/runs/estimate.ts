/** What a reading will take, before it begins: goes through its text without asking a model. */
import { costOf, defaultConcurrency, estimateDocument } from '@memagent/core'
import type { Estimate } from '@memagent/web'
import type { Owner } from '../safety/keys.ts'
import type { Surroundings } from './prepare-run.ts'
import { openRequest, type ReadRequest } from './read-request.ts'

/** @throws RequestError 400, 404 for a file; DocumentError; the signal's reason */
export async function estimateRequest(
  owner: Owner,
  request: ReadRequest,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Estimate> {
  const { served, workflow, document, release } = await openRequest(owner, request, surroundings)
  const { ahead, concurrency = defaultConcurrency, limits } = served.reading ?? {}
  const remarks = new Set<string>()
  try {
    const { calls, most, ...text } = await estimateDocument({
      ...{ document, workflow, signal },
      model: served.model,
      profile: served.profile,
      questions: request.questions?.length,
      ahead: ahead === 'auto' ? concurrency : ahead,
      onRemark: ({ message }) => remarks.add(message),
    })
    const secondsPerCall = surroundings.operations.secondsPerCall(served.id)
    const ofTime = secondsPerCall !== undefined && {
      seconds: secondsPerCall * calls,
      secondsForMostCalls: secondsPerCall * most.calls,
    }
    return {
      document: document.name,
      model: served.id,
      workflow: workflow.name,
      ...text,
      calls,
      mostCalls: most.calls,
      mostPromptTokens: most.promptTokens,
      mostCompletionTokens: most.completionTokens,
      ...ofTime,
      ...(limits?.prices && { mostPrice: costOf(most, limits.prices) }),
      remarks: [...remarks],
    }
  } finally {
    await release()
  }
}
