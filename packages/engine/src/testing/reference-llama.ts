/**
 * The Llama forward pass in plain loops over 64-bit numbers, after transformers' `modeling_llama.py`: slow, readable, and
 * the reference that the graphs are tested against.
 */
import {
  embeddingName,
  finalNormName,
  type LlamaConfig,
  layerPrefix,
  type Weights,
} from '../models/llama-config.ts'

/** Logits [T][V] of one sequence. */
export function referenceLogits(
  config: LlamaConfig,
  weights: Weights,
  tokens: readonly number[],
): number[][] {
  const { hiddenSize: D, heads: H, keyValueHeads: K, headDimension: E } = config
  const embedding = weights.get(embeddingName)!
  let hidden = tokens.map((token) => Array.from(embedding.subarray(token * D, (token + 1) * D)))
  for (let layer = 0; layer < config.layers; layer++) {
    const weight = (name: string) => weights.get(`${layerPrefix(layer)}${name}.weight`)!
    const first = hidden.map((x) => norm(x, weight('input_layernorm'), config.rmsNormEpsilon))
    const heads = (name: string, count: number, isRotated: boolean) =>
      first.map((x, t) => {
        const all = matmul(weight(name), x)
        return Array.from({ length: count }, (_, h) => {
          const head = all.slice(h * E, (h + 1) * E)
          return isRotated ? rotated(head, t, config.ropeTheta) : head
        })
      })
    const [queries, keys, values] = [
      heads('self_attn.q_proj', H, true),
      heads('self_attn.k_proj', K, true),
      heads('self_attn.v_proj', K, false),
    ]
    hidden = hidden.map((x, t) => {
      const mixed = queries[t]!.flatMap((query, h) => {
        const kv = Math.floor((h * K) / H)
        const scores = keys.slice(0, t + 1).map((key) => dot(query, key[kv]!) / Math.sqrt(E))
        const highest = Math.max(...scores)
        const exponentials = scores.map((score) => Math.exp(score - highest))
        const total = exponentials.reduce((a, b) => a + b, 0)
        return query.map((_, e) =>
          exponentials.reduce((sum, p, s) => sum + (p / total) * values[s]![kv]![e]!, 0),
        )
      })
      return plus(x, matmul(weight('self_attn.o_proj'), mixed))
    })
    hidden = hidden.map((x) => {
      const second = norm(x, weight('post_attention_layernorm'), config.rmsNormEpsilon)
      const gate = matmul(weight('mlp.gate_proj'), second)
      const up = matmul(weight('mlp.up_proj'), second)
      const inner = gate.map((g, i) => (g / (1 + Math.exp(-g))) * up[i]!)
      return plus(x, matmul(weight('mlp.down_proj'), inner))
    })
  }
  return hidden.map((x) => matmul(embedding, norm(x, weights.get(finalNormName)!, config.rmsNormEpsilon)))
}

/** Log-softmax of one row of logits at one token. */
export function referenceLogprob(logits: readonly number[], token: number): number {
  const highest = Math.max(...logits)
  return (
    logits[token]! - highest - Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0))
  )
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)
const plus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + b[i]!)

function matmul(weight: Float32Array, x: readonly number[]): number[] {
  return Array.from({ length: weight.length / x.length }, (_, row) =>
    x.reduce((sum, value, i) => sum + value * weight[row * x.length + i]!, 0),
  )
}

function norm(x: readonly number[], weight: Float32Array, epsilon: number): number[] {
  const scale = 1 / Math.sqrt(dot(x, x) / x.length + epsilon)
  return x.map((value, i) => value * scale * weight[i]!)
}

function rotated(head: readonly number[], position: number, theta: number): number[] {
  const half = head.length / 2
  return head.map((value, i) => {
    const angle = position * theta ** (-(i % half) / half)
    const partner = i < half ? -head[i + half]! : head[i - half]!
    return value * Math.cos(angle) + partner * Math.sin(angle)
  })
}
