/** The part of the configuration that selects who trains: the embedded engine, or a server that speaks the Tinker API. */
import type { ConfigurationError } from '@memagent/core'
import { z } from 'zod'
import {
  type ProfileChoice,
  profileChoiceSchema,
  resolveProfile,
  tinkerProfiles,
} from '../tinker/profiles.ts'
import { checkConfig } from '../yaml-config.ts'

const positive = z.number().int().positive()

const embedded = z.strictObject({
  kind: z.literal('embedded').describe('Trains on this machine.'),
  startFrom: z.string().describe('A model folder: the weights that training starts from, and the reference.'),
  threads: positive.default(2).describe('Threads of the engine.'),
  batchTokens: positive.default(4096).describe('Most tokens of a pass, padding included; at least one row.'),
  rowTokens: positive.multipleOf(64).optional().meta({
    description:
      'Tokens in a row of a pass. The part that the rollouts of a group share is computed once if one row holds them all.',
    defaultIs: 'the window',
  }),
})

// Checked as what it describes, so its own problems are named.
const server = z
  .custom<ProfileChoice>()
  .superRefine((choice, context) => {
    try {
      resolveProfile(choice)
    } catch (error) {
      const { message, hint } = error as ConfigurationError
      context.addIssue({ code: 'custom', message: hint ? `${message} ${hint}` : message })
    }
  })
  .meta({
    description:
      'The kind of server, or how it differs from one: `{ extends: skyrl-gpu, samplerHolds: every-snapshot }`.',
    takes: `${Object.keys(tinkerProfiles).join(', ')}, or the fields of a profile`,
    written: profileChoiceSchema,
  })

const tinker = z.strictObject({
  kind: z.literal('tinker').describe('A server that speaks the Tinker API.'),
  baseModel: z.string().describe('The name that the server uses: `Qwen/Qwen2.5-7B-Instruct`.'),
  server,
  baseUrl: z.string().optional().meta({ description: 'Its address.', defaultIs: 'TINKER_BASE_URL' }),
  loraRank: z.number().int().min(0).optional().meta({
    description: 'Rank of the LoRA; 0 trains all weights, if the server can.',
    defaultIs: '32 where the server can, else 0',
  }),
  tokenizer: z
    .string()
    .describe(
      "A folder with the model's `tokenizer.json` and `tokenizer_config.json`, which servers do not provide.",
    ),
  conformance: z
    .enum(['full', 'forward', 'none'])
    .default('full')
    .describe('How thoroughly the server is checked against its profile before training.'),
})

/** Whichever takes the steps of a training. */
export const engineSchema = z.discriminatedUnion('kind', [embedded, tinker])

export type EngineSettings = z.input<typeof engineSchema>
export type EngineConfig = z.output<typeof engineSchema>

/** @throws ConfigurationError naming every wrong field */
export const checkEngineConfig = (settings: EngineSettings): EngineConfig =>
  checkConfig(engineSchema, settings, 'The engine')
