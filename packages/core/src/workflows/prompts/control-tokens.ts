/**
 * Control tokens of chat models: what tokenizers read as the end of a turn, the start of another, or a place for tools,
 * thoughts and images. One row per family, each token as in its source; `neutralize.ts` handles case, white space and
 * closing forms.
 *
 * Deliberately left out: tokens that are ordinary words of other texts and structure no conversation, such as Mistral's `[ARGS]`
 * and `[PREFIX]`, StarCoder's `<filename>` and HTML's `<video>`; and roles in plain text (`User:`).
 */
export interface ControlTokenFamily {
  readonly models: string
  /** A published template, tokenizer or description; paths are on the repository's main branch. */
  readonly source: string
  readonly tokens: readonly string[]
}

const llamaCppChat = 'github.com/ggml-org/llama.cpp src/llama-chat.cpp'
const llamaCppTemplates = 'github.com/ggml-org/llama.cpp models/templates'
const vllmExamples = 'github.com/vllm-project/vllm examples'

const words = (text: string): readonly string[] => text.split(' ')

export const controlTokenFamilies: readonly ControlTokenFamily[] = [
  {
    models: 'Qwen, Hermes and other users of ChatML',
    source: `${llamaCppChat}, ${vllmExamples}/tool_chat_template_hermes.jinja`,
    tokens: words('<|im_start|> <|im_end|> <|endoftext|> <tool_call> <tool_response>'),
  },
  {
    models: 'Llama 2',
    source: llamaCppChat,
    tokens: words('<s> </s> [INST] [/INST] <<SYS>> <</SYS>>'),
  },
  {
    models: 'Llama 3 and 4',
    source: llamaCppChat,
    tokens: words('<|start_header_id|> <|end_header_id|> <|eot_id|> <|header_start|> <|header_end|> <|eot|>'),
  },
  {
    models: 'Mistral',
    source: 'github.com/mistralai/mistral-common src/mistral_common/tokens/tokenizers/base.py',
    tokens: words(
      '<unk> <s> </s> <pad> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] [TOOL_CONTENT] [CALL_ID] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [IMG] [IMG_BREAK] [IMG_END] [THINK]',
    ),
  },
  {
    models: 'Gemma 2 and 3',
    source:
      'github.com/google-deepmind/gemma gemma/gm/text/_tokenizer.py, special_tokens_map.json of huggingface.co/google/gemma-2-2b-it (in copies of it)',
    tokens: words(
      '<pad> <bos> <eos> <unk> <start_of_turn> <end_of_turn> <start_of_image> <end_of_image> <begin_of_tool_response> <end_of_tool_response>',
    ),
  },
  {
    models: 'Gemma 4',
    source: `${llamaCppTemplates}/gemma4.jinja`,
    tokens: words(
      '<|turn> <turn|> <|channel> <channel|> <|tool_call> <tool_call|> <|tool_response> <tool_response|> <|image> <image|>',
    ),
  },
  {
    models: 'Phi 3 and 4',
    source: llamaCppChat,
    tokens: words('<|system|> <|user|> <|assistant|> <|end|> <|im_sep|>'),
  },
  {
    models: 'DeepSeek',
    source: `${llamaCppTemplates}/DeepSeek-V3.2.jinja`,
    tokens: words(
      '<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜User｜> <｜Assistant｜> <｜DSML｜function_calls> </｜DSML｜function_calls> <think>',
    ),
  },
  {
    models: 'Kimi',
    source: `${llamaCppChat}, ${llamaCppTemplates}/Kimi-K3.jinja`,
    tokens: words(
      '<|im_system|> <|im_user|> <|im_assistant|> <|im_middle|> <|open|> <|close|> <|sep|> <|end_of_msg|>',
    ),
  },
  {
    models: 'gpt-oss',
    source: 'github.com/openai/harmony docs/format.md',
    tokens: words('<|start|> <|end|> <|message|> <|channel|> <|constrain|> <|return|> <|call|>'),
  },
  {
    models: 'EXAONE',
    source: llamaCppChat,
    tokens: words('[|system|] [|user|] [|assistant|] [|tool|] [|endofturn|]'),
  },
  {
    models: 'Seed',
    source: `${llamaCppTemplates}/ByteDance-Seed-OSS.jinja`,
    tokens: words('<seed:bos> <seed:eos> <seed:pad> <seed:think> <seed:tool_call> <seed:cot_budget_reflect>'),
  },
  {
    models: 'Command and Aya',
    source: `${llamaCppTemplates}/CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja, tokenizer_config.json of huggingface.co/prince-canuma/c4ai-command-r-v01-4bit`,
    tokens: words(
      '<BOS_TOKEN> <|START_OF_TURN_TOKEN|> <|END_OF_TURN_TOKEN|> <|SYSTEM_TOKEN|> <|USER_TOKEN|> <|CHATBOT_TOKEN|> <|START_THINKING|> <|START_RESPONSE|> <|START_TOOL_RESULT|>',
    ),
  },
  {
    models: 'MiniMax M1',
    source: `${vllmExamples}/tool_chat_template_minimax_m1.jinja`,
    tokens: words('<begin_of_document> <beginning_of_sentence> <end_of_sentence> <tool_calls>'),
  },
  {
    models: 'MiniMax M2 and M3',
    source: `${llamaCppTemplates}/unsloth-MiniMax-M2.jinja, tokenizer.json of huggingface.co/MiniMaxAI/MiniMax-M3`,
    tokens: words(
      ']~!b[ ]~b] [e~[ ]!d~[ ]!p~[ ]<]image[>[ ]<]video[>[ ]<]speech[>[ ]<]minimax[>[ <minimax:tool_call> <mm:think> <function_call>',
    ),
  },
  {
    models: 'GLM',
    source: `${llamaCppTemplates}/GLM-4.6.jinja, tokenizer_config.json of huggingface.co/zai-org/GLM-5.1-FP8`,
    tokens: words(
      '[gMASK] [sMASK] <sop> <eop> <|system|> <|user|> <|assistant|> <|observation|> <think> <tool_call> <arg_key> <arg_value> <tool_response>',
    ),
  },
  {
    models: 'SmolVLM and Idefics',
    source: `${llamaCppChat}, github.com/huggingface/transformers src/transformers/models/smolvlm/processing_smolvlm.py`,
    tokens: words('<end_of_utterance> <fake_token_around_image> <global-img> <image>'),
  },
  {
    models: 'Granite',
    source: llamaCppChat,
    tokens: words('<|start_of_role|> <|end_of_role|> <|end_of_text|> <|tool_call|>'),
  },
  { models: 'Ling', source: llamaCppChat, tokens: words('<role> </role>') },
  { models: 'MiniCPM', source: llamaCppChat, tokens: words('<用户> <AI>') },
  { models: 'YandexGPT', source: llamaCppChat, tokens: words('<s> [SEP]') },
  { models: 'GigaChat', source: llamaCppChat, tokens: words('<s> <|message_sep|> <|role_sep|>') },
  { models: 'Megrez', source: llamaCppChat, tokens: words('<|role_start|> <|role_end|> <|turn_end|>') },
  {
    models: 'Hunyuan',
    source: llamaCppChat,
    tokens: words('<|startoftext|> <|extra_0|> <|extra_4|> <|eos|> <｜hy_User｜> <｜hy_Assistant｜>'),
  },
  {
    models: 'Nemotron Nano',
    source: `${llamaCppTemplates}/NVIDIA-Nemotron-Nano-v2.jinja`,
    tokens: words('<SPECIAL_10> <SPECIAL_11> <SPECIAL_12> <AVAILABLE_TOOLS> <TOOLCALL> <TOOL_RESPONSE>'),
  },
  {
    models: 'Apriel',
    source: `${llamaCppTemplates}/unsloth-Apriel-1.5.jinja`,
    tokens: [
      ...words('<|content|> <|tool_result|> <thinking> [IMG]'),
      '[BEGIN FINAL RESPONSE]',
      '[END FINAL RESPONSE]',
    ],
  },
  {
    models: 'Baichuan 2',
    source: `${vllmExamples}/template_baichuan.jinja`,
    tokens: words('<reserved_106> <reserved_107>'),
  },
  {
    models: 'TeleChat',
    source: `${vllmExamples}/template_telechat.jinja`,
    tokens: words('<_user> <_bot> <_end>'),
  },
]
