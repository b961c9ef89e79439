import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Proto3Writer } from '../proto3-writer.ts'
import { protobufFields } from './protobuf-fields.ts'
import { decodeLossOutput, decodeSample, encodeForwardBackward } from './protobuf-messages.ts'
import { decodeRequest } from './testing/protobuf-server.ts'
import { encodedText } from './wire.ts'

const golden: Record<'request' | 'forward' | 'output' | 'sample', string> = JSON.parse(
  readFileSync(new URL('testing/recorded/protobuf-golden.json', import.meta.url), 'utf8'),
)
const bytesOf = (name: keyof typeof golden) => new Uint8Array(Buffer.from(golden[name], 'base64'))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe('encodeForwardBackward', () => {
  it("writes the bytes that Google's implementation writes", () => {
    const request = encodeForwardBackward({
      modelId: 'session:train:0',
      seqId: 300,
      isForward: false,
      input: {
        data: [
          {
            model_input: encodedText([72, 101, 151643]),
            loss_fn_inputs: { target_tokens: { data: [101, 151643, 5], dtype: 'int64', shape: [3] } },
          },
        ],
        loss_fn: 'ppo',
        loss_fn_config: { clip_low_threshold: 0.8 },
      },
    })
    expect(base64(request)).toBe(golden.request)
    const forward = encodeForwardBackward({
      modelId: 'm',
      seqId: 0,
      isForward: true,
      input: {
        data: [
          {
            model_input: encodedText([1, 200]),
            loss_fn_inputs: { weights: { data: [0, 1], dtype: 'float32', shape: [2] } },
          },
        ],
        loss_fn: 'cross_entropy',
      },
    })
    expect(base64(forward)).toBe(golden.forward)
  })

  it('is equivalent to JSON, whatever the numbers', () => {
    const tensor = fc.oneof(
      fc.array(fc.float({ noNaN: true })).map((data) => ({ data, dtype: 'float32' as const })),
      fc.array(fc.maxSafeInteger()).map((data) => ({ data, dtype: 'int64' as const })),
    )
    const datum = fc.record({
      tokens: fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
      inputs: fc.dictionary(
        fc.stringMatching(/^[a-z_]{1,20}$/).filter((name) => name !== '__proto__'),
        tensor,
        { noNullPrototype: true },
      ),
    })
    fc.assert(
      fc.property(
        fc.array(datum),
        fc.string(),
        fc.nat(),
        fc.boolean(),
        (datums, modelId, seqId, isForward) => {
          const data = datums.map(({ tokens, inputs }) => ({
            model_input: encodedText(tokens),
            loss_fn_inputs: Object.fromEntries(
              Object.entries(inputs).map(([name, { data, dtype }]) => [
                name,
                { data, dtype, shape: [data.length] },
              ]),
            ),
          }))
          const input = { data, loss_fn: 'importance_sampling' as const }
          const decoded = decodeRequest(encodeForwardBackward({ modelId, seqId, isForward, input }))
          expect(decoded).toEqual({
            model_id: modelId,
            seq_id: seqId,
            isForward,
            input: { ...input, loss_fn_config: {} },
          })
        },
      ),
    )
  })
})

describe('decodeLossOutput', () => {
  it("reads what Google's implementation wrote: several records, offsets, half floats, metrics", () => {
    const { loss_fn_outputs, metrics } = decodeLossOutput(bytesOf('output'))
    expect(loss_fn_outputs.map(({ logprobs }) => logprobs!.data)).toEqual([[-5.5, -0.25], [-1], [-2, -3, 0]])
    expect(loss_fn_outputs[0]!.elementwise_loss).toMatchObject({ data: [1, 2], dtype: 'float32' })
    expect(metrics).toEqual({ 'loss:sum': -12.5, 'zero:sum': 0 })
  })

  it('rejects a message cut anywhere or returns fewer fields, and never reads beyond the end', () => {
    const whole = bytesOf('output')
    for (let length = 0; length < whole.length; length++) {
      try {
        decodeLossOutput(whole.subarray(0, length))
      } catch (error) {
        expect(error).toMatchObject({ code: 'tinker/protocol' })
      }
    }
  })
})

describe('decodeSample', () => {
  it("reads what Google's implementation wrote, and skips fields of later versions", () => {
    expect(decodeSample(bytesOf('sample'))).toEqual({
      sequences: [
        { stop_reason: 'stop', tokens: [254, 151643], logprobs: [-5.5, -0.125] },
        { stop_reason: 'length', tokens: [7], logprobs: undefined },
      ],
      prompt_logprobs: [null, -1.5, -2.5],
    })
  })
})

describe('the wire format', () => {
  it('reads back the integers it wrote, negative ones too', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const [field] = [...protobufFields(new Proto3Writer().varint(8).varint(value).finish())]
        expect(field).toMatchObject({ field: 1, integer: value })
      }),
    )
  })
})
