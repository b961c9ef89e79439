"""Writes a Qwen3 of 94,592 random parameters, with a tokenizer of bytes: the smallest model that a SkyRL server trains.

    python tiny_qwen3.py FOLDER
"""

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

folder = sys.argv[1]
torch.manual_seed(1)
config = Qwen3Config(
    vocab_size=320,
    hidden_size=64,
    intermediate_size=128,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    head_dim=16,
    tie_word_embeddings=True,
    max_position_embeddings=4096,
)
Qwen3ForCausalLM(config).save_pretrained(folder)

special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
vocabulary = sorted(pre_tokenizers.ByteLevel.alphabet()) + special
tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(vocabulary)}, merges=[]))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
tokenizer.add_special_tokens(special)
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
fast.chat_template = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
fast.save_pretrained(folder)
