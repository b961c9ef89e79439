"""Writes pytorch.json: losses, gradients, weights and log-probabilities of reinforcement learning, by PyTorch alone.

python3 generate.py > pytorch.json

Nothing of this project is used. The loss is written as verl writes it (core_algos.py: compute_policy_loss, kl_penalty
"low_var_kl", agg_loss), and differentiated by autograd; the decoder as transformers writes LlamaForCausalLM; the optimizer is
torch.optim.AdamW after torch.nn.utils.clip_grad_norm_. Everything is computed in double precision, from inputs that are
exact in single precision.
"""
import json
import math
import platform

import torch

torch.set_default_dtype(torch.float64)

VOCABULARY, WIDTH, INNER, LAYERS, HEADS, KEY_VALUE_HEADS, HEAD = 16, 8, 12, 2, 2, 1, 4
THETA, EPSILON, POSITIONS = 10_000.0, 1e-5, 64


def single(tensor):
    return tensor.to(torch.float32).to(torch.float64)


def numbers(tensor):
    return [float(f"{value:.9g}") for value in tensor.detach().flatten().tolist()]


# ---- the loss of one batch ----


def token_losses(logprob, old, reference, advantage, options):
    """[T] each; verl's compute_policy_loss with dual clip, and its k3 with the difference and the result clamped."""
    ratio = torch.exp(logprob - old)
    low, high, dual = options["clipLow"], options["clipHigh"], options.get("dualClip")
    plain, clipped = -advantage * ratio, -advantage * torch.clamp(ratio, 1 - low, 1 + high)
    loss = torch.maximum(plain, clipped)
    if dual is not None and advantage < 0:
        loss = torch.minimum(loss, torch.full_like(loss, -advantage * dual))
    if reference is None:
        return loss, ratio, torch.zeros_like(loss)
    difference = torch.clamp(reference - logprob, -20, 20)
    kl = torch.clamp(torch.exp(difference) - difference - 1, -10, 10)
    return loss + options["klCoefficient"] * kl, ratio, kl


def batch_loss(conversations, logprobs, options):
    """conversations: dicts of old, reference, advantage, rollout."""
    parts = [
        token_losses(logprob, c["old"], c["reference"], c["advantage"], options)
        for logprob, c in zip(logprobs, conversations)
    ]
    losses = [loss for loss, _, _ in parts]
    aggregation = options["aggregation"]
    if aggregation == "token-mean":
        loss = torch.cat(losses).mean()
    elif aggregation == "conversation-mean":
        loss = torch.stack([each.mean() for each in losses]).mean()
    elif aggregation == "conversation-sum":
        loss = torch.stack([each.sum() for each in losses]).mean() / options["constantLength"]
    elif aggregation == "rollout-mean":
        names = list(dict.fromkeys(c["rollout"] for c in conversations))
        of = lambda name: torch.cat([each for each, c in zip(losses, conversations) if c["rollout"] == name])
        loss = torch.stack([of(name).mean() for name in names]).mean()
    ratio = torch.cat([ratio for _, ratio, _ in parts])
    kl = torch.cat([kl for _, _, kl in parts])
    advantage = torch.cat([torch.full_like(p[0], c["advantage"]) for p, c in zip(parts, conversations)])
    share = lambda condition: condition.double().mean().item()
    metrics = {
        "kl": kl.mean().item(),
        "entropy": -torch.cat(list(logprobs)).mean().item(),
        "clippedHigh": share((advantage > 0) & (ratio > 1 + options["clipHigh"])),
        "clippedLow": share((advantage < 0) & (ratio < 1 - options["clipLow"])),
        "dualClipped": share((advantage < 0) & (ratio > options.get("dualClip", math.inf))),
    }
    return loss, metrics


def group_advantages(rewards, normalization):
    rewards = torch.tensor(rewards, dtype=torch.float64)
    advantages = rewards - rewards.mean()
    return advantages / (rewards.std(unbiased=False) + 1e-6) if normalization == "deviation" else advantages


def losses():
    """Log-probabilities of every kind: ratios within and beyond each bound, references near, far and beyond the clamps."""
    torch.manual_seed(1)
    conversations, logprobs = [], []
    for i, (length, advantage) in enumerate([(5, 0.75), (7, 0.75), (4, -0.25), (6, -0.25), (3, 0.0), (5, -0.5)]):
        logprob = single(-3 * torch.rand(length) - 0.05)
        old = single(logprob - torch.linspace(-0.9, 1.5, length))
        reference = single(logprob + torch.linspace(-1.2, 1.0, length))
        if i == 3:
            reference = single(logprob + torch.tensor([0.3, 2.9, -30.0, -0.2, 5.0, 0.0]))
        conversations.append({"old": old, "reference": reference, "advantage": advantage, "rollout": str(i // 2)})
        logprobs.append(logprob)
    base = {"clipLow": 0.2, "clipHigh": 0.28, "klCoefficient": 0.05, "aggregation": "token-mean"}
    cases = []
    for change in [
        {},
        {"dualClip": 3.0},
        {"klCoefficient": 0.0},
        {"aggregation": "conversation-mean"},
        {"aggregation": "rollout-mean", "dualClip": 1.5},
        {"aggregation": "conversation-sum", "constantLength": 8},
    ]:
        options = {**base, **change}
        leaves = [logprob.clone().requires_grad_() for logprob in logprobs]
        loss, metrics = batch_loss(conversations, leaves, options)
        loss.backward()
        cases.append(
            {
                "options": options,
                "loss": loss.item(),
                "metrics": metrics,
                "gradients": [numbers(leaf.grad) for leaf in leaves],
            }
        )
    with_dual = cases[1]["metrics"]
    assert min(with_dual["clippedHigh"], with_dual["clippedLow"], with_dual["dualClipped"]) > 0
    batch = [
        {
            "logprobs": numbers(logprob),
            "oldLogprobs": numbers(c["old"]),
            "referenceLogprobs": numbers(c["reference"]),
            "advantage": c["advantage"],
            "rollout": c["rollout"],
        }
        for logprob, c in zip(logprobs, conversations)
    ]
    return {"batch": batch, "cases": cases}


# ---- a decoder, and training it ----


def shapes():
    yield "model.embed_tokens.weight", (VOCABULARY, WIDTH)
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        yield prefix + "input_layernorm.weight", (WIDTH,)
        yield prefix + "self_attn.q_proj.weight", (HEADS * HEAD, WIDTH)
        yield prefix + "self_attn.k_proj.weight", (KEY_VALUE_HEADS * HEAD, WIDTH)
        yield prefix + "self_attn.v_proj.weight", (KEY_VALUE_HEADS * HEAD, WIDTH)
        yield prefix + "self_attn.o_proj.weight", (WIDTH, HEADS * HEAD)
        yield prefix + "post_attention_layernorm.weight", (WIDTH,)
        yield prefix + "mlp.gate_proj.weight", (INNER, WIDTH)
        yield prefix + "mlp.up_proj.weight", (INNER, WIDTH)
        yield prefix + "mlp.down_proj.weight", (WIDTH, INNER)
    yield "model.norm.weight", (WIDTH,)


def initial_weights():
    torch.manual_seed(2)
    make = lambda shape: 1 + 0.1 * torch.randn(shape) if len(shape) == 1 else 0.4 * torch.randn(shape)
    return {name: single(make(shape)) for name, shape in shapes()}


def norm(x, weight):
    return weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON)


def rotate(x):
    """[heads, T, HEAD], transformers' rotate_half."""
    frequencies = THETA ** (-torch.arange(0, HEAD, 2).double() / HEAD)
    angles = torch.outer(torch.arange(x.shape[1]).double(), frequencies).repeat(1, 2)
    first, second = x.chunk(2, -1)
    return x * angles.cos() + torch.cat([-second, first], -1) * angles.sin()


def response_logprobs(weights, prompt, response, temperature):
    tokens = torch.tensor(prompt + response)
    count = len(tokens)
    x = weights["model.embed_tokens.weight"][tokens]
    mask = torch.full((count, count), -math.inf).triu(1)
    for layer in range(LAYERS):
        w = lambda name: weights[f"model.layers.{layer}.{name}.weight"]
        normal = norm(x, w("input_layernorm"))
        heads = lambda name, of: (normal @ w(name).T).view(count, of, HEAD).transpose(0, 1)
        query, key = rotate(heads("self_attn.q_proj", HEADS)), rotate(heads("self_attn.k_proj", KEY_VALUE_HEADS))
        value = heads("self_attn.v_proj", KEY_VALUE_HEADS)
        repeat = HEADS // KEY_VALUE_HEADS
        key, value = key.repeat_interleave(repeat, 0), value.repeat_interleave(repeat, 0)
        mixed = torch.softmax(query @ key.transpose(1, 2) / math.sqrt(HEAD) + mask, -1) @ value
        x = x + mixed.transpose(0, 1).reshape(count, HEADS * HEAD) @ w("self_attn.o_proj").T
        normal = norm(x, w("post_attention_layernorm"))
        gate = torch.nn.functional.silu(normal @ w("mlp.gate_proj").T)
        x = x + (gate * (normal @ w("mlp.up_proj").T)) @ w("mlp.down_proj").T
    logits = norm(x, weights["model.norm.weight"]) @ weights["model.embed_tokens.weight"].T
    logprobs = torch.log_softmax(logits[len(prompt) - 1 : -1] / temperature, -1)
    return logprobs.gather(1, torch.tensor(response)[:, None])[:, 0]


def conversations_of_two_groups():
    """Two questions, three rollouts each, of two rewrites and an answer; rewrites of a group share their first prompt."""
    torch.manual_seed(3)
    draw = lambda count: torch.randint(1, VOCABULARY, (count,)).tolist()
    conversations = []
    for group in range(2):
        question, sections = draw(4), [draw(18), draw(18)]
        for rollout in range(3):
            memories = [draw(3 + rollout), draw(4 + group)]
            prompts = [question + sections[0], question + memories[0] + sections[1], question + memories[1]]
            for prompt, response in zip(prompts, [*memories, draw(2)]):
                conversations.append({"group": group, "rollout": rollout, "prompt": prompt, "response": response + [0]})
    return conversations


def train(steps, rewards, options, optimizer, temperature, normalization):
    """Every step: log-probabilities of the policy as it stands, then two updates over them, half of the conversations each."""
    weights = {name: value.clone().requires_grad_() for name, value in initial_weights().items()}
    conversations = conversations_of_two_groups()
    logprobs = lambda: [
        response_logprobs(weights, c["prompt"], c["response"], temperature) for c in conversations
    ]
    reference = [each.detach() for each in logprobs()]
    decayed = [value for name, value in weights.items() if "norm" not in name]
    others = [value for name, value in weights.items() if "norm" in name]
    adam = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": optimizer["weightDecay"]}, {"params": others, "weight_decay": 0.0}],
        lr=1.0,
        betas=(optimizer["beta1"], optimizer["beta2"]),
        eps=optimizer["epsilon"],
    )
    taken = []
    for step in range(steps):
        old = [each.detach() for each in logprobs()]
        advantages = [group_advantages(group, normalization) for group in rewards[step]]
        halves = [list(range(step % 2, len(conversations), 2)), list(range(1 - step % 2, len(conversations), 2))]
        rate = optimizer["learningRate"] * min(1, (step + 1) / optimizer["warmupSteps"])
        for half in halves:
            batch = [
                {
                    "old": old[i],
                    "reference": reference[i],
                    "advantage": advantages[conversations[i]["group"]][conversations[i]["rollout"]].item(),
                    "rollout": f"{conversations[i]['group']}/{conversations[i]['rollout']}",
                }
                for i in half
            ]
            present = logprobs()
            loss, metrics = batch_loss(batch, [present[i] for i in half], options)
            adam.zero_grad()
            loss.backward()
            norm_before = torch.nn.utils.clip_grad_norm_(list(weights.values()), optimizer["clipNorm"]).item()
            for group in adam.param_groups:
                group["lr"] = rate
            adam.step()
            taken.append(
                {
                    "learningRate": rate,
                    "conversations": half,
                    "advantages": [c["advantage"] for c in batch],
                    "loss": loss.item(),
                    "gradientNorm": norm_before,
                    "metrics": metrics,
                }
            )
    assert sum(update["metrics"]["clippedHigh"] for update in taken) > 0
    assert sum(update["metrics"]["clippedLow"] for update in taken) > 0
    norms = [update["gradientNorm"] for update in taken]
    assert min(norms) < optimizer["clipNorm"] < max(norms), norms
    return {
        "temperature": temperature,
        "normalization": normalization,
        "loss": options,
        "optimizer": optimizer,
        "rewards": rewards[:steps],
        "updates": taken,
        "logprobs": [numbers(each) for each in logprobs()],
        "weights": {name: numbers(value) for name, value in weights.items()},
    }


REWARDS = [
    [[1, 0, 0], [0, 0, 1]],
    [[1, 1, 0], [0.5, 0, 1]],
    [[0, 1, 0], [1, 1, 1]],
    [[0, 0, 1], [0, 1, 0]],
    [[1, 0, 1], [1, 0, 0]],
]
LOSS = {"clipLow": 0.2, "clipHigh": 0.28, "klCoefficient": 0.05, "aggregation": "token-mean"}
OPTIMIZER = {
    "learningRate": 0.01,
    "warmupSteps": 3,
    "beta1": 0.9,
    "beta2": 0.999,
    "epsilon": 1e-8,
    "weightDecay": 0.01,
    "clipNorm": 0.5,
}

print(
    json.dumps(
        {
            "by": {"torch": torch.__version__, "python": platform.python_version()},
            "losses": losses(),
            "model": {
                "config": {
                    "vocabularySize": VOCABULARY,
                    "hiddenSize": WIDTH,
                    "intermediateSize": INNER,
                    "layers": LAYERS,
                    "heads": HEADS,
                    "keyValueHeads": KEY_VALUE_HEADS,
                    "headDimension": HEAD,
                    "ropeTheta": THETA,
                    "rmsNormEpsilon": EPSILON,
                    "maxPositions": POSITIONS,
                },
                "weights": {name: numbers(value) for name, value in initial_weights().items()},
            },
            "conversations": conversations_of_two_groups(),
            "trainings": [
                train(5, REWARDS, LOSS, OPTIMIZER, 1.0, "none"),
                train(
                    2,
                    REWARDS,
                    {**LOSS, "dualClip": 3.0, "aggregation": "rollout-mean"},
                    {**OPTIMIZER, "clipNorm": 2.5},
                    0.7,
                    "deviation",
                ),
            ],
        }
    )
)
