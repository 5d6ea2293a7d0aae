// Defines the formats that model families write: data, and the readers that they need. Several can be combined.

import type { CallsReader } from "../json-call.ts"
import { JSON_CALLS } from "../json-opening.ts"
import { between, element, strings, styled, tool } from "./format.ts"
import { gemma, keyed, python } from "./literal.ts"
import { SENTINELS } from "./sentinel.ts"
import type { TagFormats } from "./tag-format.ts"
import { getToolSyntaxSpec } from "./tool-syntax.ts"

/** `<think>…</think>`: DeepSeek R1, Qwen 3 and others. */
export const think = { think: "reasoning" } as const satisfies TagFormats
/** `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes, Qwen, Granite 4, ERNIE. */
export const hermes = { tool_call: "json" } as const satisfies TagFormats
/** `<tool_call><function=…><parameter=…>`: Qwen Coder, MiMo, Step 3.5. */
export const qwenCoder = { tool_call: "wrapper", function: tool } as const satisfies TagFormats
/** `<function_calls><invoke name="…"><parameter name="…">`: Claude. */
export const claude = { function_calls: "wrapper", invoke: tool } as const satisfies TagFormats
/** `<dots_function_call><invoke name="…"><parameter name="…">`: Dots. */
export const dots = { dots_function_call: "wrapper", invoke: tool } as const satisfies TagFormats
/** `<function=…>{…}</function>`: Llama. */
export const llama = { function: tool } as const satisfies TagFormats
/** `<minimax:tool_call><invoke name="…"><parameter name="…">`: MiniMax M2. */
export const minimaxM2 = { "minimax:tool_call": "wrapper", invoke: tool } as const satisfies TagFormats
/** `<seed:tool_call><function=…><parameter=…>` and `<seed:think>`: Seed-OSS. */
export const seedOss = {
  "seed:think": "reasoning",
  "seed:tool_call": "wrapper",
  function: tool,
} as const satisfies TagFormats
/** `<function name="…"><param name="…">`: MiniCPM 5. */
export const minicpm = { function: /* @__PURE__ */ styled("<param", ">", "</param>") } as const satisfies TagFormats
/** `<tool_calls>[{"name": …, "arguments": …}]</tool_calls>`: Hunyuan A13B, Jamba. */
export const toolCalls = { tool_calls: "json" } as const satisfies TagFormats
/** Hunyuan A13B, with its thoughts and the tags around its answer. */
export const hunyuan = /* @__PURE__ */ strings({
  think: "reasoning",
  tool_calls: "json",
  hunyuanAnswer: { open: ["<answer>", "</answer>"], reads: "hidden" },
})
/** `<longcat_tool_call>{…}</longcat_tool_call>` and `<longcat_think>`: LongCat. */
export const longcat = { longcat_think: "reasoning", longcat_tool_call: "json" } as const satisfies TagFormats

/** `<｜DSML｜invoke name="…"><｜DSML｜parameter name="…" string="true">`: DeepSeek V3.2 and V4. */
export const deepseekV32: TagFormats = {
  "｜DSML｜function_calls": "wrapper",
  "｜DSML｜tool_calls": "wrapper",
  "｜DSML｜invoke": /* @__PURE__ */ styled("<｜DSML｜parameter", ">", "</｜DSML｜parameter>"),
}

const V41_ARGUMENTS = /* @__PURE__ */ between("<｜DSML｜ parameter", ">", "</｜DSML｜ parameter>")
/** The same with a blank behind each mark, in `<｜DSML｜ calls>`: DeepSeek V4.1. */
export const deepseekV41 = /* @__PURE__ */ strings({
  deepseekSection: { open: ["<｜DSML｜ calls>", "</｜DSML｜ calls>"], reads: "hidden" },
  deepseekCall: {
    open: '<｜DSML｜ invoke name="',
    until: ['">'],
    reads: V41_ARGUMENTS,
    close: "</｜DSML｜ invoke>",
  },
})

const DEEPSEEK_SECTION = { open: ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"], reads: "hidden" } as const
/** `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`: DeepSeek V3.1. */
export const deepseekV31 = /* @__PURE__ */ strings({
  deepseekSection: DEEPSEEK_SECTION,
  deepseekCall: {
    open: "<｜tool▁call▁begin｜>",
    until: ["<｜tool▁sep｜>"],
    reads: "json",
    close: "<｜tool▁call▁end｜>",
  },
})
/** `<｜tool▁call▁begin｜>function<｜tool▁sep｜>name`, then JSON in a fence: DeepSeek V3 and R1. */
export const deepseekV3 = /* @__PURE__ */ strings({
  deepseekSection: DEEPSEEK_SECTION,
  deepseekCall: {
    open: "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
    until: ["\n```json\n"],
    reads: "json",
    close: "```<｜tool▁call▁end｜>",
  },
})
/** `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`: Kimi K2. */
export const kimiK2 = /* @__PURE__ */ strings({
  kimiSection: { open: ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"], reads: "hidden" },
  kimiCall: {
    open: "<|tool_call_begin|>",
    until: ["<|tool_call_argument_begin|>"],
    isId: true,
    reads: "json",
    close: "<|tool_call_end|>",
  },
})
const K3_ARGUMENTS = /* @__PURE__ */ between('<|open|>argument key="', "<|sep|>", "<|close|>argument<|sep|>")
/** `<|open|>call tool="…" index="1"<|sep|><|open|>argument key="…" type="string"<|sep|>`: Kimi K3. */
export const kimiK3 = /* @__PURE__ */ strings({
  kimiThought: { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", reads: "reasoning" },
  kimiSection: {
    open: [
      "<|open|>response<|sep|>",
      "<|close|>response<|sep|>",
      "<|open|>tools<|sep|>",
      "<|close|>tools<|sep|>",
      "<|close|>message<|sep|>",
      "<|end_of_msg|>",
    ],
    reads: "hidden",
  },
  kimiCall: { open: '<|open|>call tool="', until: ["<|sep|>"], reads: K3_ARGUMENTS, close: "<|close|>call<|sep|>" },
})

const PAIRS = /* @__PURE__ */ between("<arg_key>", "<arg_value>", "</arg_value>")
/** `<tool_call>name<arg_key>…</arg_key><arg_value>…</arg_value></tool_call>`: GLM 4.5 to 4.7, Laguna. */
export const glm = /* @__PURE__ */ strings({
  glmCall: { open: "<tool_call>", until: ["<arg_key>", "\n", "</tool_call>"], reads: PAIRS, close: "</tool_call>" },
})
/** The same in `<tool_calls>`, with `<tool_sep>` after the name or without: Hunyuan 3 and 4. */
export const hunyuan3 = /* @__PURE__ */ strings({
  tool_calls: "wrapper",
  hunyuanCall: {
    open: "<tool_call>",
    until: ["<tool_sep>", "<arg_key>", "</tool_call>"],
    reads: PAIRS,
    close: "</tool_call>",
  },
})
const IFM_PAIRS = /* @__PURE__ */ between("<ifm|arg_key>", "<ifm|arg_value>", "</ifm|arg_value>")
/** `<ifm|tool_call>name<ifm|arg_key>…</ifm|arg_key><ifm|arg_value>…</ifm|arg_value></ifm|tool_call>`: K2 Horizon. */
export const k2Horizon = /* @__PURE__ */ strings({
  "ifm|tool_calls": "wrapper",
  horizonCall: {
    open: "<ifm|tool_call>",
    until: ["<ifm|arg_key>", "</ifm|tool_call>"],
    reads: IFM_PAIRS,
    close: "</ifm|tool_call>",
  },
})
const SOLAR_ARGUMENTS = /* @__PURE__ */ between("<|tool_arg:start|>", "<|tool_arg:value|>", "<|tool_arg:end|>")
/** `<|tool_call:start|>name`, then `<|tool_arg:start|>…<|tool_arg:value|>…<|tool_arg:end|>`: Solar Open 2. */
export const solar = /* @__PURE__ */ strings({
  solarThought: { open: "<|think:start|>", close: "<|think:end|>", reads: "reasoning" },
  solarCall: { open: "<|tool_call:start|>", until: ["\n"], reads: SOLAR_ARGUMENTS, close: "<|tool_call:end|>" },
})

const M3_ARGUMENTS = /* @__PURE__ */ between("]<]minimax[>[<", ">", "")
/** `<invoke name="…">` and a tag per argument, each tag after `]<]minimax[>[`: MiniMax M3. */
export const minimaxM3 = /* @__PURE__ */ strings({
  minimaxThought: { open: "<mm:think>", close: "</mm:think>", reads: "reasoning" },
  minimaxSection: { open: ["]<]minimax[>[<tool_call>", "]<]minimax[>[</tool_call>"], reads: "hidden" },
  minimaxCall: {
    open: ']<]minimax[>[<invoke name="',
    until: ['">'],
    reads: M3_ARGUMENTS,
    close: "]<]minimax[>[</invoke>",
  },
})
const STEP_ARGUMENTS = /* @__PURE__ */ between("<steptml:parameter", ">", "</steptml:parameter>")
/** Step 3: `<steptml:invoke name="…"><steptml:parameter name="…">` between its own marks. */
export const step3 = /* @__PURE__ */ strings({
  stepSection: {
    open: [
      "<｜tool_calls_begin｜>",
      "<｜tool_calls_end｜>",
      "<｜tool_call_begin｜>",
      "<｜tool_call_end｜>",
      "function<｜tool_sep｜>",
      "<｜tool_sep｜>",
    ],
    reads: "hidden",
  },
  stepCall: { open: '<steptml:invoke name="', until: ['">'], reads: STEP_ARGUMENTS, close: "</steptml:invoke>" },
})

const JSON_MARKS = ["<|constrain|>json<|message|>", "json<|message|>", "<|message|>"]
const JSON_CHANNELS = [
  " <|constrain|>json<|message|>",
  "<|constrain|>json<|message|>",
  " json<|message|>",
  "<|message|>",
]

/** What opens these channels, with and without the mark that begins a turn. */
function channels(...names: readonly string[]): string[] {
  return names.flatMap(name => [`<|channel|>${name}`, `<|start|>assistant<|channel|>${name}`])
}

/** The ends of a name that stands before its channel. */
function channelsAfter(): string[] {
  return ["commentary", "analysis"].flatMap(name => JSON_CHANNELS.map(end => `<|channel|>${name}${end}`))
}

/** Channels, `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`: gpt-oss. */
export const harmony = /* @__PURE__ */ strings({
  harmonyThought: { open: /* @__PURE__ */ channels("analysis<|message|>"), close: "<|end|>", reads: "reasoning" },
  harmonyText: {
    open: /* @__PURE__ */ channels("final<|message|>", "final <|constrain|>json<|message|>", "commentary<|message|>"),
    reads: "hidden",
  },
  harmonyEnd: { open: ["<|end|>", "<|return|>"], reads: "hidden" },
  harmonyCall: {
    open: /* @__PURE__ */ channels("commentary to=functions.", "analysis to=functions."),
    until: JSON_MARKS,
    reads: "json",
    close: "<|call|>",
  },
  harmonyCallFirst: {
    open: "<|start|>assistant to=functions.",
    until: /* @__PURE__ */ channelsAfter(),
    reads: "json",
    close: "<|call|>",
  },
})
/** `[TOOL_CALLS]name[ARGS]{…}` and `[THINK]…[/THINK]`: Mistral, v11 and later. */
export const mistral = /* @__PURE__ */ strings({
  mistralThought: { open: "[THINK]", close: "[/THINK]", reads: "reasoning" },
  mistralCall: { open: "[TOOL_CALLS]", until: ["[ARGS]", "{"], isId: true, reads: "json" },
})
/** `[TOOL_CALLS][{"name": …, "arguments": …}]`: Mistral before v11. */
export const mistralOld = /* @__PURE__ */ strings({ mistralCalls: { open: "[TOOL_CALLS]", reads: "json" } })
/** `<|START_ACTION|>[{"tool_name": …, "parameters": …}]<|END_ACTION|>`, thoughts and texts: Cohere Command. */
export const cohere = /* @__PURE__ */ strings({
  cohereThought: { open: "<|START_THINKING|>", close: "<|END_THINKING|>", reads: "reasoning" },
  cohereCalls: { open: "<|START_ACTION|>", close: "<|END_ACTION|>", reads: "json" },
  cohereMarks: { open: ["<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"], reads: "hidden" },
})
/** `<|tool_call|>[{"name": …, "arguments": …}]` or `<tool_call>[…]`: Granite 3. */
export const granite = /* @__PURE__ */ strings({
  graniteCalls: { open: ["<|tool_call|>", "<tool_call>"], reads: "json" },
})
/** `<function_call> {"name": …, "arguments": …}`: Granite 20B FC. */
export const graniteFc = /* @__PURE__ */ strings({ graniteCall: { open: "<function_call>", reads: "json" } })
/** `<|action_start|><|plugin|>{"name": …, "parameters": …}<|action_end|>`: InternLM 2. */
export const internlm = /* @__PURE__ */ strings({
  internCall: { open: "<|action_start|><|plugin|>", close: "<|action_end|>", reads: "json" },
})
/** `functools[{"name": …, "arguments": …}]`: Phi-4 mini. */
export const phi4 = /* @__PURE__ */ strings({ phiCalls: { open: "functools", reads: "json" } })
/** `<|function_call|>{…}`: GigaChat 3. */
export const gigachat = /* @__PURE__ */ strings({
  gigachatCall: { open: ["<|function_call|>", "function call<|role_sep|>\n"], reads: "json" },
  gigachatMarks: { open: ["<|message_sep|>"], reads: "hidden" },
})
/** `<|tools_prefix|>[{"name": {…}}]<|tools_suffix|>`: Apertus. */
export const apertus = /* @__PURE__ */ strings({
  apertusCalls: { open: "<|tools_prefix|>", close: "<|tools_suffix|>", reads: keyed },
  apertusThought: { open: "<|inner_prefix|>", close: "<|inner_suffix|>", reads: "reasoning" },
})
/** `<|content_invoke_tool_json|>{"name": …, "args": …}<|end_message|>`, thoughts and texts: Inkling. */
export const inkling = /* @__PURE__ */ strings({
  inklingThought: { open: "<|content_thinking|>", close: "<|end_message|>", reads: "reasoning" },
  inklingCall: { open: "<|content_invoke_tool_json|>", reads: "json" },
  inklingMarks: {
    open: [
      "<|message_model|>",
      "<|content_text|>",
      "<|content_invoke_tool_text|>",
      "<|content_tool_error|>",
      "<|end_message|>",
      "<|content_model_end_sampling|>",
    ],
    reads: "hidden",
  },
})
/** `<|tool_call_start|>[name(key="value")]<|tool_call_end|>`: LFM 2. */
export const lfm2 = /* @__PURE__ */ strings({
  lfmCalls: { open: "<|tool_call_start|>", close: "<|tool_call_end|>", reads: python },
})
/** `<|python_start|>[name(key="value")]<|python_end|>`: Llama 4. */
export const llama4 = /* @__PURE__ */ strings({
  llamaCalls: { open: "<|python_start|>", close: "<|python_end|>", reads: python },
})
/** A call in Python on each line of `<function_calls>…</function_calls>`: OLMo 3. */
export const olmo3 = /* @__PURE__ */ strings({
  olmoCalls: { open: "<function_calls>", close: "</function_calls>", reads: python },
})
const inGemma4: CallsReader = (text, name) => gemma(text, name, '<|"|>')
/** `<|tool_call>call:name{key:<|"|>value<|"|>}<tool_call|>` and `<|channel>thought`: Gemma 4. */
export const gemma4 = /* @__PURE__ */ strings({
  gemmaThought: { open: "<|channel>thought\n", close: "<channel|>", reads: "reasoning" },
  gemmaCall: { open: "<|tool_call>call:", until: ["{"], close: "<tool_call|>", reads: inGemma4 },
})
const inFunctionGemma: CallsReader = (text, name) => gemma(text, name, "<escape>")
/** `<start_function_call>call:name{key:<escape>value<escape>}<end_function_call>`: FunctionGemma. */
export const functionGemma = /* @__PURE__ */ strings({
  gemmaCall: { open: "<start_function_call>call:", until: ["{"], close: "<end_function_call>", reads: inFunctionGemma },
})

/** `{"name": …, "arguments": …}` and other JSON calls in the text: Llama 3, xLAM and others. */
export const json: TagFormats = { json: { kit: { json: JSON_CALLS } } }
/** `[[SEG_START {"type": …}]]…[[SEG_END]]`. */
export const sentinel: TagFormats = { sentinel: { kit: { sentinel: SENTINELS, specOf: getToolSyntaxSpec } } }

/** `<tool><key>value</key></tool>` for each of these tools: Cline, Roo and others whose tags are the tools' names. */
export function namedTools(...tools: readonly string[]): TagFormats {
  return Object.fromEntries(tools.map(name => [name, element] as const))
}
