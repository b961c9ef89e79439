import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startProtocolServer } from './protocol-server.ts'
import { formOf, type RecordedExchange, recordedExchanges } from './recorded-exchanges.ts'
import { openTestPolicy } from './test-policy.ts'

/** Maps names that a server generates: a recorded name stands for the one received now. */
class Names {
  readonly #now = new Map<string, string>()

  learn(recorded: unknown, actual: unknown): void {
    if (typeof recorded !== 'object' || recorded === null) return
    for (const [key, value] of Object.entries(recorded)) {
      const other = (actual as Record<string, unknown>)?.[key]
      if (/_id$/.test(key) && typeof value === 'string' && typeof other === 'string')
        this.#now.set(value, other)
      else this.learn(value, other)
    }
  }

  translate(text: string): string {
    return text.replace(/(session|model|sampling)_[0-9a-f]{8}/g, (name) => this.#now.get(name) ?? name)
  }

  future(id: unknown): unknown {
    return this.#now.get(String(id)) ?? id
  }
}

/** The recorded model has more tokens than the tiny one. */
const smallTokens = (key: string, value: unknown) =>
  key === 'tokens' ? (value as number[]).map((token) => token % 64) : value

function requestOf({ path, request }: RecordedExchange, names: Names): string | undefined {
  if (request.body === null) return undefined
  const body = JSON.parse(names.translate(JSON.stringify(request.body)), smallTokens)
  if (path.endsWith('retrieve_future')) body.request_id = names.future(body.request_id)
  const targets = (body.forward_backward_input ?? body.forward_input)?.data ?? []
  for (const { loss_fn_inputs } of targets) {
    loss_fn_inputs.target_tokens.data = loss_fn_inputs.target_tokens.data.map((token: number) => token % 64)
  }
  return JSON.stringify(body)
}

describe('the test server', () => {
  it('answers every recorded request in the form of the recorded answer', async () => {
    const server = await startProtocolServer({ maxModels: 3 })
    const names = new Names()
    try {
      for (const exchange of recordedExchanges()) {
        const body = requestOf(exchange, names)
        const answer = await fetch(server.baseUrl + names.translate(exchange.path), {
          method: exchange.method,
          ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        })
        const text = await answer.text()
        const isJson = answer.headers.get('content-type') === 'application/json'
        const content: unknown = isJson ? JSON.parse(text) : text
        const { status, contentType, body: recorded } = exchange.response
        const where = `exchange ${exchange.n}: ${exchange.path}`
        expect({ where, status: answer.status, contentType: answer.headers.get('content-type') }).toEqual({
          where,
          status,
          contentType,
        })
        expect({ where, form: formOf(content) }).toEqual({ where, form: formOf(recorded) })
        names.learn(recorded, content)
      }
    } finally {
      await server.close()
    }
  })
})

describe('the client against recorded answers', () => {
  it('samples, scores, trains and saves with what a real server answered', async () => {
    const recorded = recordedExchanges()
    const answerOf = (n: number) => recorded[n]!.response
    // The client's requests in order, and the recorded exchanges that answer them.
    const script: [string, number][] = [
      ['create_session', 3],
      ['get_server_capabilities', 2],
      ['create_model', 5],
      ['retrieve_future', 6],
      ['save_weights_for_sampler', 8],
      ['retrieve_future', 9],
      ['asample', 10],
      ['retrieve_future', 11],
      ['create_sampling_session', 57],
      ['asample', 58],
      ['retrieve_future', 59],
      ['forward', 12],
      ['retrieve_future', 13],
      ['forward_backward', 14],
      ['retrieve_future', 15],
      ['optim_step', 16],
      ['retrieve_future', 17],
      ['save_weights', 54],
      ['retrieve_future', 55],
      ['save_weights', 56],
      ['save_weights', 54],
      ['retrieve_future', 55],
      ['unload_model', 70],
      ['retrieve_future', 71],
    ]
    const asked: { name: string; body: Record<string, unknown> }[] = []
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const name = request.url!.slice(request.url!.lastIndexOf('/') + 1)
      const [expected, n] = script[asked.length] ?? []
      asked.push({ name, body: JSON.parse(Buffer.concat(parts).toString() || '{}') })
      const answer = name === expected ? answerOf(n!) : undefined
      response.writeHead(answer?.status ?? 418, { 'content-type': answer?.contentType ?? 'text/plain' })
      response.end(JSON.stringify(answer?.body ?? `expected ${expected}, got ${name}`))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const fake = { baseUrl, close: async () => undefined } as never
    const test = await openTestPolicy('skyrl-jax', { server: fake, heartbeatMs: 1e9 })
    const { policy } = test

    const prompt = [72, 101, 108, 108, 111, 32]
    const snapshot = await policy.snapshot()
    const sampling = { promptTokens: prompt, maxTokens: 8, temperature: 1, topP: 1, seed: 7, stopTokens: [] }
    const response = await snapshot.sample(sampling)
    expect(response.tokens).toEqual([254, 117, 299, 250, 186, 222, 52, 22])
    expect(response.logprobs![0]).toBeCloseTo(-5.67995, 4)
    const sequence = { promptTokens: prompt, responseTokens: response.tokens }
    // The base model, the sampler and the trainer agree on a model that is not trained yet.
    const [reference] = await policy.reference.logprobs([sequence])
    const gradient = Float32Array.from(response.tokens, () => -1 / 8)
    const [trained] = await policy.forwardBackward([sequence], [gradient])
    response.logprobs!.forEach((value, t) => {
      expect(reference![t]).toBeCloseTo(value, 5)
      expect(trained![t]).toBeCloseTo(value, 5)
    })
    const step = { learningRate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-12, weightDecay: 0, clipNorm: 1 }
    expect((await policy.optimStep(step)).gradientNorm).toBeCloseTo(5.54004, 4)
    expect(await policy.saveState('ck1')).toBe('tinker://model_8378f06f/weights/ck1')
    await policy.saveState('ck1')
    await policy.close()
    server.close()
    server.closeAllConnections()

    expect(asked.map(({ name }) => name)).toEqual(script.map(([name]) => name))
    // The requests have the form of the recorded ones, except for deliberate omissions and additions.
    const inputs = (n: number, name: string) => {
      const { data } = (asked[n]!.body as Record<string, { data: { loss_fn_inputs: unknown }[] }>)[name]!
      return data[0]!.loss_fn_inputs as Record<string, { data: number[] }>
    }
    const recordedInputs = (
      recorded[14]!.request.body as never as Record<string, { data: [{ loss_fn_inputs: unknown }] }>
    ).forward_backward_input!.data[0]!.loss_fn_inputs as Record<string, { data: number[] }>
    const sent = inputs(13, 'forward_backward_input')
    expect(formOf(sent)).toEqual(formOf(recordedInputs))
    expect(sent.target_tokens).toEqual(recordedInputs.target_tokens)
    expect(sent.weights).toEqual(recordedInputs.weights)
    // One datum of 8 tokens: -gradient * 8 * 1.
    expect(sent.advantages).toEqual(recordedInputs.advantages)
    expect(asked[2]!.body).toEqual({
      ...(recorded[5]!.request.body as object),
      lora_config: { rank: 8, train_unembed: true, train_mlp: true, train_attn: true },
    })
    expect(asked[19]!.body.path).toBe('ck1')
    expect(asked[20]!.body.path).toBe('ck1-2')
    // The name was refused, so its number was free.
    expect(asked[20]!.body.seq_id).toBe(asked[19]!.body.seq_id)
  })
})
