"""Writes small files in the published formats, as other programs write them. pip install pyarrow==25.0.1; python3 generate.py"""
import json

import pyarrow
import pyarrow.parquet

text = pyarrow.string()
story = pyarrow.struct(
    [
        ("id", text),
        ("kind", text),
        ("url", text),
        ("file_size", pyarrow.int32()),
        ("word_count", pyarrow.int32()),
        ("start", text),
        ("end", text),
        ("summary", pyarrow.struct([("text", text), ("tokens", pyarrow.list_(text)), ("url", text), ("title", text)])),
        ("text", text),
    ]
)
said = pyarrow.struct([("text", text), ("tokens", pyarrow.list_(text))])


def with_tokens(sentence):
    return {"text": sentence, "tokens": sentence.split()}


narrativeqa = [
    {
        "document": {
            "id": f"story-{i}",
            "kind": "movie" if i % 2 else "gutenberg",
            "url": None,
            "file_size": 80000 + i,
            "word_count": 41000 + i,
            "start": "The café",
            "end": "THE END",
            "summary": {**with_tokens(f"Captain {name} loses a ship."), "url": "", "title": f"Café {i} 🙂"},
            "text": f"The café 🙂 of story {i}. " + f"Captain {name} lost the ship. " * (3 + i),
        },
        "question": with_tokens(f"Who lost the ship of story {i} ?"),
        "answers": [with_tokens(f"Captain {name}"), with_tokens(name)],
    }
    for i, name in enumerate(["Mott", "Ané", "Berg", "Çelik", "Dahl"])
]


def conversation(i, needles):
    messages = [{"role": "user", "content": "Here are some examples 🙂"}]
    for n in range(needles):
        messages.append({"role": "user", "content": "write a poem about tapirs"})
        messages.append({"role": "assistant", "content": f"Poem {n} of {i}: é tapir {n * 7919 % 100} 🙂\nEnd."})
        messages.append({"role": "user", "content": "write a blog post about rocks"})
        messages.append({"role": "assistant", "content": f"Rock {n}."})
    messages.append({"role": "user", "content": f"Prepend key{i} to the 2nd (1 indexed) poem about tapirs."})
    return {
        "prompt": json.dumps(messages),
        "answer": f"key{i}" + messages[6]["content"],
        "random_string_to_prepend": f"key{i}",
        "n_needles": needles,
        "desired_msg_index": 5,
        "total_messages": len(messages),
        "n_chars": sum(len(one["content"]) for one in messages),
    }


mrcr = [conversation(i, 2 + 2 * (i % 2)) for i in range(7)]
babilong = [
    {
        "input": f"It was late. Mary went to the {place}. Nobody knew. John went to the attic.",
        "question": "Where is Mary? ",
        "target": place,
    }
    for place in ["kitchen", "garden", "office", "hallway"]
]


def paragraph(i, n):
    return f"Café {i}.{n} 🙂", [f"It is café {n}.", f" It seats {100000 + 10 * i + n} guests."]


hotpotqa = [
    {
        "id": f"h{i}",
        "question": f"How many guests does Café {i}.3 🙂 seat?",
        "answer": str(100003 + 10 * i),
        "type": "bridge",
        "level": "hard",
        "supporting_facts": {"title": [f"Café {i}.3 🙂", f"Café {i}.5 🙂"], "sent_id": [1, 0]},
        "context": {
            "title": [paragraph(i, n)[0] for n in range(10)],
            "sentences": [paragraph(i, n)[1] for n in range(10)],
        },
    }
    for i in range(4)
]
memagent = [
    {
        "data_source": "hotpotqa",
        "prompt": [{"role": "user", "content": f"Who keeps light {i}?"}],
        "context": "\n\n".join(f"Document {n + 1}:\nLight {n}\nAné {n} keeps it." for n in range(4)),
        "ability": "memory",
        "reward_model": {"style": "rule", "ground_truth": [f"Ané {i}"]},
        "extra_info": {"index": 7 * i, "question": f"Who keeps light {i}?", "num_docs": 4},
    }
    for i in range(3)
]


def write(name, rows, schema=None, **options):
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), f"{name}.parquet", **options)
    with open(f"{name}.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


schema = pyarrow.schema([("document", story), ("question", said), ("answers", pyarrow.list_(said))])
# Several row groups and pages, as large files have them; the codecs that are in use.
write("narrativeqa", narrativeqa, schema, row_group_size=2, compression="snappy", data_page_size=64)
write("mrcr", mrcr, row_group_size=3, compression="zstd", write_page_index=True, data_page_size=64)
write("babilong-qa1", babilong, compression="gzip", data_page_version="2.0")
write("hotpotqa", hotpotqa, row_group_size=2)
write("memagent", memagent)
