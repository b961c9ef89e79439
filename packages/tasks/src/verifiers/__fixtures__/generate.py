"""Writes python-metrics.json: values of the metrics by the Python programs that the benchmarks are scored with.

pip install rouge==1.0.1; python3 generate.py > python-metrics.json
"""
import json
import random
from collections import Counter
from difflib import SequenceMatcher
import re
import string

from rouge import Rouge

draw = random.Random(20250401)
words = "the a an Cat sat, on mat. and dog's ran (fast) away; in 1999, over hill. Über café naïve it It is".split()
words += [first + rest for first in "bdfgklmn" for rest in ("ane", "ile", "oad", "ust.", "eed")]


def prose(count):
    return " ".join(draw.choice(words) for _ in range(count))


def letters(alphabet, count):
    return "".join(draw.choice(alphabet) for _ in range(count))


def changed(text, share):
    """Words dropped, doubled, swapped with others."""
    result = []
    for word in text.split(" "):
        lot = draw.random()
        if lot < share / 3:
            continue
        result.append(draw.choice(words) if lot < 2 * share / 3 else word)
        if lot > 1 - share / 3:
            result.append(word)
    return " ".join(result)


def f1(answer, reference):
    def split(text):
        bare = "".join(sign for sign in text.lower() if sign not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", bare).split()

    said, wanted = split(answer), split(reference)
    shared = sum((Counter(said) & Counter(wanted)).values())
    if shared == 0:
        return 0
    precision, recall = shared / len(said), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def rouge_l(answer, reference):
    try:
        return Rouge().get_scores([answer], [reference], avg=True)["rouge-l"]["f"]
    except ValueError:
        return 0


pairs = [("", ""), ("", "a"), ("abcd", "bcde"), ("aaab", "baaa"), (" . ", "a. b"), ("...", "a"), ("The", "the cat")]
pairs += [("aé the thé", "aé"), ("Hello. World", "World. Hello"), ("🙂🙂a🙂", "a🙂🙂"), ("a..b", "b..a")]
pairs += [(letters("ab", draw.randint(0, 12)), letters("ab", draw.randint(0, 12))) for _ in range(20)]
pairs += [(letters("abc 🙂é", draw.randint(5, 60)), letters("abc 🙂é", draw.randint(5, 60))) for _ in range(15)]
for count in [3, 8, 20, 40, 80, 150]:
    for share in [0.1, 0.3, 0.6, 0.9]:
        text = prose(count)
        pairs.append((changed(text, share), text))
# Of 200 characters and more, where characters that are everywhere do not begin a block.
pairs += [(letters("xyz", 150), letters("xyz", size)) for size in (199, 200, 201)]
pairs += [(letters(string.ascii_letters * 2 + " ", 400), letters(string.ascii_letters * 2 + " ", 330))]

print(
    json.dumps(
        [
            {"a": a, "b": b, "f1": f1(a, b), "rougeL": rouge_l(a, b), "ratio": SequenceMatcher(None, a, b).ratio()}
            for a, b in pairs
        ],
        ensure_ascii=False,
        indent=1,
    )
)
