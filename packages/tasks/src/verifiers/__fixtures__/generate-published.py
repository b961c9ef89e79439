"""Writes published-metrics.json: values of metrics by the published code itself, cut out of its files.

python3 generate-published.py RULER MemAgent LongBench > published-metrics.json

with the folders of NVIDIA/RULER (c3f5e3b), BytedTsinghua-SIA/MemAgent (76b7a65) and THUDM/LongBench (2e00731).
"""
import ast
import json
import random
import re
import string
import sys
from pathlib import Path


def functions(path, *names):
    """The functions of these names, without running the rest of the file, which wants packages."""
    tree = ast.parse(Path(path).read_text())
    wanted = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names]
    space = {"re": re, "string": string}
    exec(compile(ast.Module(wanted, []), str(path), "exec"), space)
    return [space[name] for name in names]


ruler, memagent, longbench = map(Path, sys.argv[1:])
match_all, match_part = functions(
    ruler / "scripts/eval/synthetic/constants.py", "string_match_all", "string_match_part"
)
[clean] = functions(ruler / "scripts/eval/evaluate.py", "postprocess_pred")
_, sub_exact_match = functions(
    memagent / "taskutils/memory_eval/utils/__init__.py", "normalize_answer", "sub_exact_match_score"
)
[count] = functions(longbench / "LongBench/metrics.py", "count_score")

draw = random.Random(20261123)
names = ["Anna Mott", "Mott", "The Amber Gate", "amber gate", "4711", "471", "12", "straße", "Élan", "a", "yes", "47.5"]
frames = [
    "{}",
    "\\boxed{{{}}}",
    "**{}**",
    "The answer is {}.",
    "It is not {}; I am not sure.",
    "1. {}\n2. nothing",
    "\x00{}\x1f",
    "  {}\t",
]


def response():
    said = ", ".join(draw.sample(names, draw.randint(1, 4)))
    return draw.choice(frames).format(draw.choice([said, said.upper(), said.lower()]))


cases = [("", ["a"]), ("\\boxed{}", ["4711"]), ("I refuse.", ["4711", "Mott"]), ("one\x00two", ["one\ntwo"])]
cases += [(response(), draw.sample(names, draw.randint(1, 4))) for _ in range(160)]

# MemAgent's code asks for an answer before it compares: an empty one is wrong.
pairs = [("The", "Anna Mott"), ("...", "Mott"), ("Anna Mott of Graz", "Anna Mott"), ("4", "4711"), ("no", "yes")]
pairs += [(draw.choice(frames[2:]).format(draw.choice(names)), draw.choice(names)) for _ in range(120)]

counts = [("", "5"), ("5", "5"), ("There are 5 of 30.", "5"), ("15", "5"), ("5.0", "5"), ("five", "5"), ("-5", "5"), ("5 5 6", "5")]
# Digits of other scripts, which the published pattern takes and ours does not.
foreign = [("5 of ٣", "5"), ("５", "5")]

golden = {
    # Of a hundred, to two places, as published.
    "ruler": [
        {
            "response": text,
            "references": references,
            "all": match_all([clean(text, {})], [references]),
            "part": match_part([clean(text, {})], [references]),
        }
        for text, references in cases
    ],
    "subEm": [{"answer": a, "reference": b, "value": int(sub_exact_match(a, b))} for a, b in pairs],
    "count": [{"answer": a, "reference": b, "value": count(a, b)} for a, b in counts],
    "foreignDigits": [{"answer": a, "reference": b, "value": count(a, b)} for a, b in foreign],
}
parts = [f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in golden.items()]
print("{\n" + ",\n".join(parts) + "\n}")
