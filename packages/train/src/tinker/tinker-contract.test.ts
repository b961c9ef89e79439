import { registerCases } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { policyContract } from '../testing/policy-contract.ts'
import { type ServerProfileName, tinkerProfiles } from './profiles.ts'
import { type ProtocolServer, startProtocolServer } from './testing/protocol-server.ts'
import { serverBehaviours } from './testing/server-behaviour.ts'
import { openTestPolicy } from './testing/test-policy.ts'
import { tinyConfig } from './testing/tiny-model.ts'

describe.each(Object.keys(tinkerProfiles) as ServerProfileName[])('a policy on a server like %s', (name) => {
  let server: ProtocolServer
  beforeAll(async () => {
    server = await startProtocolServer({
      ...serverBehaviours[name],
      // The contract's steps have no decay; servers that take theirs from a file must be configured there.
      weightDecay: 0,
    })
  })
  afterAll(() => server.close())

  const checks = policyContract({
    async create(restoreFrom) {
      return (await openTestPolicy(name, { server, restoreFrom })).policy
    },
    vocabularySize: tinyConfig.vocabularySize,
    stopToken: 1,
    reportsGradientNorm: serverBehaviours[name].gradientNormMetric !== undefined,
    hasReference: serverBehaviours[name].servesBaseModel,
  })
  // Checks that cannot apply to a server are skipped, with the reason.
  registerCases(checks, it)
})
