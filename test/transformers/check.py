"""Loads a model folder with transformers and compares it with what our engine said about it (cases.json)."""
import json
import sys
from pathlib import Path

import torch
from transformers import AutoTokenizer, LlamaForCausalLM

folder = Path(sys.argv[1])
cases = json.loads((folder / "cases.json").read_text())
model, report = LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
unloaded = [*report["missing_keys"], *report["unexpected_keys"], *report["mismatched_keys"]]
assert not unloaded, f"parameters not loaded: {unloaded}"
tokenizer = AutoTokenizer.from_pretrained(folder)
assert tokenizer.eos_token_id == cases["endToken"], (tokenizer.eos_token_id, cases["endToken"])

worst = 0.0
for case in cases["cases"]:
    ids = tokenizer(case["text"], add_special_tokens=False)["input_ids"]
    assert ids == case["textTokens"], f"tokens of {case['text'][:40]!r} differ"
    messages = [{"role": "user", "content": case["content"]}]
    prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    assert tokenizer(prompt, add_special_tokens=False)["input_ids"] == case["promptTokens"], "tokens of the prompt differ"
    tokens = torch.tensor([case["promptTokens"] + case["response"][:-1]])
    with torch.no_grad():
        logits = model(tokens).logits[0, len(case["promptTokens"]) - 1 :]
    theirs = torch.log_softmax(logits.double(), dim=-1)
    ours = torch.tensor(case["logprobs"], dtype=torch.float64)
    worst = max(worst, (theirs - ours).abs().max().item())
    assert logits.argmax(-1).tolist() == case["response"], "the greedy response differs"
print(f"{cases['label']}: {len(cases['cases'])} prompts, largest difference of a log-probability {worst:.2e}")
assert worst < cases["tolerance"], f"log-probabilities differ by {worst}"
