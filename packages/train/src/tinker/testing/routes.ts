/** The endpoints of the test server, answering in SkyRL's words. */
import type { Datum } from '../wire.ts'
import type { ServerCall } from './faults.ts'
import type { Answer, FutureStore } from './future-store.ts'
import { type SamplingFields, sample } from './sample.ts'
import type { ServerBehaviour } from './server-behaviour.ts'
import { JobFailure, type ServerEngine } from './server-engine.ts'

export type Route = (call: ServerCall) => Answer

type Fields = Readonly<Record<string, unknown>>

const ok = (body: unknown): Answer => ({ status: 200, body })
const detail = (status: number, text: string): Answer => ({ status, body: { detail: text } })
const pending = (id: string): Answer => ok({ future_id: id, status: 'pending', request_id: id })
const knownLosses = ['cross_entropy', 'importance_sampling', 'ppo', 'gspo', 'cispo', 'ppo_critic', 'dppo']

export function createRoutes(
  behaviour: ServerBehaviour,
  engine: ServerEngine,
  futures: FutureStore,
): ReadonlyMap<string, Route> {
  const { baseModel } = behaviour
  let nextId = 0
  const idFor = (kind: string) => `${kind}_${(nextId++).toString(16).padStart(8, '0')}`
  const sessions = new Set<string>()
  const loraConfigs = new Map<string, Fields>()
  const checkpoints: { model: string; name: string; type: string; path: string }[] = []
  const routes = new Map<string, Route>()
  const at = (
    name: string,
    required: readonly string[],
    route: (body: Fields, call: ServerCall) => Answer,
  ) => {
    routes.set(`/api/v1/${name}`, (call) => {
      const missing = required.filter((field) => call.body?.[field] === undefined)
      if (missing.length === 0) return route(call.body ?? {}, call)
      const problem = (field: string) => ({
        type: 'missing',
        loc: ['body', field],
        msg: 'Field required',
        input: call.body,
      })
      return { status: 422, body: { detail: missing.map(problem) } }
    })
  }
  /** Handles a request of a model, in the order of its numbers. */
  const numbered = (
    name: string,
    run: (model: string, body: Fields) => Promise<unknown>,
    check: (model: string, body: Fields) => Answer | undefined = () => undefined,
  ) =>
    at(name, ['model_id'], (body, call) => {
      const model = String(body.model_id)
      if (!engine.hasModel(model)) return detail(404, 'Model not found')
      const content = Buffer.from(call.bytes).toString('base64')
      return futures.numbered(
        `${model}/${String(body.seq_id)}`,
        content,
        () => check(model, body) ?? pending(futures.start(() => run(model, body))),
      )
    })

  at('client/config', [], () => ok({ pjwt_auth_enabled: behaviour.usesTokens }))
  at('auth/token', [], () => ok({ jwt: tokenOf(behaviour.apiKey ?? '') }))
  at('get_server_capabilities', [], () => ok({ supported_models: [{ model_name: baseModel }] }))
  at('telemetry', [], () => ok({ status: 'accepted' }))
  at('create_session', ['tags', 'sdk_version'], () => {
    const id = idFor('session')
    sessions.add(id)
    const messages = { info_message: null, warning_message: null, error_message: null }
    return ok({ type: 'create_session', ...messages, session_id: id })
  })
  at('session_heartbeat', ['session_id'], ({ session_id }) =>
    sessions.has(String(session_id)) ? ok({ type: 'session_heartbeat' }) : detail(404, 'Session not found'),
  )
  at('create_model', ['session_id', 'base_model', 'lora_config', 'model_seq_id'], (body, call) =>
    futures.numbered(
      `${String(body.session_id)}/model/${String(body.model_seq_id)}`,
      Buffer.from(call.bytes).toString('base64'),
      () => {
        if (body.base_model !== baseModel) return detail(400, `Unknown base model ${String(body.base_model)}`)
        const { rank, seed = null } = body.lora_config as Fields
        const kind = rank === 0 ? 'full' : 'lora'
        if (!behaviour.tuning.includes(kind))
          return detail(400, `This server does not train with rank ${rank}`)
        const id = idFor('model')
        loraConfigs.set(id, { rank, seed: null })
        const full = {
          rank,
          alpha: 32,
          seed: seed ?? 7,
          train_attn: true,
          train_mlp: true,
          train_unembed: false,
        }
        const request = futures.start(async () => {
          await engine.createModel(id)
          return { model_id: id, base_model: baseModel, lora_config: full }
        })
        const lora_config = { rank, seed }
        return ok({
          model_id: id,
          base_model: baseModel,
          lora_config,
          status: 'created',
          request_id: request,
        })
      },
    ),
  )
  at('get_info', ['model_id'], ({ model_id }) => {
    const lora_config = loraConfigs.get(String(model_id))
    const model_data = { base_model: baseModel, lora_config, model_name: baseModel }
    return lora_config ? ok({ model_id, status: 'created', model_data }) : detail(404, 'Model not found')
  })
  at('unload_model', ['model_id'], ({ model_id }) => {
    const request_id = futures.start(async () => {
      await engine.unloadModel(String(model_id))
      return { model_id, status: 'unloaded', type: 'unload_model' }
    })
    return ok({ request_id, model_id })
  })

  for (const name of ['forward', 'forward_backward'] as const) {
    const inputOf = (body: Fields) => body[`${name}_input`] as LossFields
    const run = async (model: string, body: Fields) => {
      const { data, loss_fn, loss_fn_config = {} } = inputOf(body)
      if (knownLosses.indexOf(loss_fn) > 2) {
        throw new JobFailure(`Loss functions ['${loss_fn}'] are not supported by the JAX backend`)
      }
      const outputs = await engine.computeLoss(model, data, loss_fn, loss_fn_config, name === 'forward')
      return { loss_fn_output_type: 'scalar', loss_fn_outputs: outputs, metrics: {} }
    }
    numbered(name, run, (_, body) => unknownLoss(name, inputOf(body)))
  }
  // In protobuf, a forward pass arrives on another route.
  const forwardBackward = routes.get('/api/v1/forward_backward')!
  routes.set('/api/v1/forward_backward', (call) =>
    call.body && 'forward_input' in call.body ? routes.get('/api/v1/forward')!(call) : forwardBackward(call),
  )
  const inJson = routes.get('/api/v1/forward_backward')!
  routes.set('/api/v1/forward_backward', (call) =>
    !behaviour.speaksProtobuf && call.headers['content-type'] === 'application/x-protobuf'
      ? detail(415, 'Unsupported media type')
      : inJson(call),
  )
  numbered('optim_step', async (model, body) => ({
    metrics: await engine.step(model, (body.adam_params ?? {}) as Readonly<Record<string, number>>),
  }))
  numbered(
    'save_weights',
    async (model, { path }) => {
      const whole = `tinker://${model}/weights/${String(path)}`
      engine.saveCheckpoint(model, whole)
      return { path: whole, type: 'save_weights' }
    },
    (model, { path: name }) => {
      if (
        checkpoints.some((known) => known.model === model && known.name === name && known.type === 'training')
      ) {
        return detail(409, `Checkpoint '${String(name)}' already exists for model '${model}'`)
      }
      const path = `tinker://${model}/weights/${String(name)}`
      checkpoints.push({ model, name: String(name), type: 'training', path })
      return undefined
    },
  )
  numbered(
    'load_weights',
    async (model, { path, optimizer }) => {
      engine.loadCheckpoint(model, String(path), optimizer === true)
      return { type: 'load_weights' }
    },
    (_, { path }) =>
      engine.hasCheckpoint(String(path)) ? undefined : detail(404, `Checkpoint ${String(path)} not found`),
  )
  numbered('save_weights_for_sampler', async (model, { path, seq_id }) => {
    const id = path === undefined ? idFor('sampling') : undefined
    engine.saveSampler(model, id)
    const name = String(path ?? `ss${String(seq_id)}_seq${String(seq_id)}`)
    checkpoints.push({ model, name, type: 'sampler', path: `tinker://${model}/sampler_weights/${name}` })
    return {
      path: path === undefined ? null : `tinker://${model}/${name}`,
      type: 'save_weights_for_sampler',
      sampling_session_id: id ?? null,
    }
  })
  at('weights_info', ['tinker_path'], ({ tinker_path }) =>
    engine.hasCheckpoint(String(tinker_path))
      ? ok({ base_model: baseModel, is_lora: true, lora_rank: 8 })
      : detail(404, 'Checkpoint not found'),
  )
  routes.set('/api/v1/training_runs/[^/]+/checkpoints', ({ path }) => {
    const model = path.split('/')[4]
    const own = checkpoints.filter((checkpoint) => checkpoint.model === model)
    return ok({
      checkpoints: own.map(({ name, type, path: tinker_path }) => ({
        checkpoint_id: name,
        checkpoint_type: type,
        time: '2026-11-20T21:44:00.943739',
        tinker_path,
      })),
    })
  })

  routes.set('/api/v1/training_runs/[^/]+/checkpoints/weights/[^/]+', ({ method, path }) => {
    if (method !== 'DELETE' || !behaviour.deletesCheckpoints) return detail(405, 'Method Not Allowed')
    const [, , , , model, , , name] = path.split('/')
    const whole = `tinker://${model}/weights/${name}`
    if (!engine.deleteCheckpoint(whole)) return detail(404, `Checkpoint ${whole} not found`)
    checkpoints.splice(
      checkpoints.findIndex((known) => known.path === whole),
      1,
    )
    return { status: 204, body: '' }
  })

  at('create_sampling_session', ['session_id', 'sampling_session_seq_id'], ({ base_model }) => {
    if (!behaviour.servesBaseModel) return detail(400, 'unknown model_id')
    if (base_model !== baseModel) return detail(404, 'Model not found')
    const id = idFor('sampling')
    engine.createBaseSampler(id)
    return ok({ type: 'create_sampling_session', sampling_session_id: id })
  })
  at('asample', ['prompt', 'sampling_params'], (body) => {
    const parameters = body.sampling_params as SamplingFields
    const id = String(body.sampling_session_id)
    if (!engine.hasSampler(id)) return detail(404, 'Sampling session not found')
    if (parameters.max_tokens === undefined) return detail(400, 'max_tokens is currently required')
    if (parameters.stop !== undefined && !Array.isArray(parameters.stop))
      return detail(400, 'stop must be a list')
    return pending(futures.start(() => sample(engine, behaviour, id, body, parameters), true))
  })
  return routes
}

interface LossFields {
  readonly data: readonly Datum[]
  readonly loss_fn: string
  readonly loss_fn_config?: Readonly<Record<string, number>>
}

function unknownLoss(name: string, { loss_fn }: LossFields): Answer | undefined {
  if (knownLosses.includes(loss_fn)) return undefined
  const expected = `${knownLosses
    .slice(0, -1)
    .map((loss) => `'${loss}'`)
    .join(', ')} or '${knownLosses.at(-1)}'`
  const problem = {
    type: 'literal_error',
    loc: [`${name}_input`, 'loss_fn'],
    msg: `Input should be ${expected}`,
    input: loss_fn,
    ctx: { expected },
    url: 'https://errors.pydantic.dev/2.13/v/literal_error',
  }
  return { status: 422, body: { detail: [problem] } }
}

/** The token exchanged for the key: valid for an hour or two. */
const tokenOf = (apiKey: string): string => {
  const claims = { sub: apiKey, exp: Math.floor(Date.now() / 3_600_000) * 3600 + 7200 }
  return `eyJ.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`
}

/** Tokens of the last hour are valid too. */
export function isTokenOf(apiKey: string, token: string): boolean {
  const [, claims = ''] = token.split('.')
  const { sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
  return sub === apiKey && exp * 1000 > Date.now()
}
