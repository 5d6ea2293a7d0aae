// Texts as model families write them, with the calls that each family's server reads in them.
import { TAG_PROFILES, type TagFormats } from "../../src/streaming/index.ts"

const P = TAG_PROFILES
export const paris = ["weather", { city: "Paris" }]
const rome = ["weather", { city: "Rome" }]
export const json = (city: string) => `{"city": "${city}"}`
export const call = (city: string) => `{"name": "weather", "arguments": {"city": "${city}"}}`
export const invoke = (tag: string, parameter: string, city: string) =>
  `<${tag} name="weather">\n<${parameter} name="city">${city}</${parameter}>\n</${tag}>`

/** What a text is read as: its calls, its visible text, and its thoughts. */
export interface FamilyCalls {
  readonly calls: readonly unknown[]
  readonly text?: string
  readonly thought?: string
}

const two = { calls: [paris, rome] }

export const FAMILIES: readonly (readonly [name: string, tags: TagFormats, text: string, expected: FamilyCalls])[] = [
  [
    "DeepSeek V3",
    P.deepseekV3,
    `So:<｜tool▁calls▁begin｜>${["Paris", "Rome"]
      .map(c => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n\`\`\`json\n${json(c)}\n\`\`\`<｜tool▁call▁end｜>`)
      .join("\n")}<｜tool▁calls▁end｜>`,
    { ...two, text: "So:" },
  ],
  [
    "DeepSeek V3.1",
    { ...P.think, ...P.deepseekV31 },
    `<think>Hm.</think><｜tool▁calls▁begin｜>${["Paris", "Rome"]
      .map(c => `<｜tool▁call▁begin｜>weather<｜tool▁sep｜>${json(c)}<｜tool▁call▁end｜>`)
      .join("")}<｜tool▁calls▁end｜>`,
    { ...two, thought: "Hm." },
  ],
  [
    "DeepSeek V3.2, whose parameters tell text from JSON",
    P.deepseekV32,
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="a" string="true"> 1 </｜DSML｜parameter>
<｜DSML｜parameter name="b" string="false">{"c": [1]}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
    { calls: [["f", { a: " 1 ", b: { c: [1] } }]] },
  ],
  [
    "DeepSeek V4",
    P.deepseekV32,
    `<｜DSML｜tool_calls>${invoke("｜DSML｜invoke", "｜DSML｜parameter", "Paris")}</｜DSML｜tool_calls>`,
    { calls: [paris] },
  ],
  [
    "DeepSeek V4.1",
    P.deepseekV41,
    `So.<｜DSML｜ calls>\n${invoke("｜DSML｜ invoke", "｜DSML｜ parameter", "Paris")}\n</｜DSML｜ calls>`,
    { calls: [paris], text: "So." },
  ],
  [
    "Dots",
    P.dots,
    `<dots_function_call>\n${invoke("invoke", "parameter", "Paris")}\n</dots_function_call><dots_function_call>${call("Rome")}</dots_function_call>`,
    two,
  ],
  [
    "K2 Horizon",
    P.k2Horizon,
    "<ifm|tool_calls><ifm|tool_call>weather\n<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Paris</ifm|arg_value></ifm|tool_call><ifm|tool_call>now</ifm|tool_call></ifm|tool_calls>",
    { calls: [paris, ["now", {}]] },
  ],
  [
    "Inkling",
    P.inkling,
    `<|message_model|><|content_thinking|>Hm.<|end_message|><|message_model|><|content_text|>So.<|end_message|>` +
      `<|message_model|><|content_invoke_tool_json|>{"name":"weather","args":${json("Paris")}}<|end_message|>` +
      `<|message_model|><|content_invoke_tool_json|>{"name":"weather","args":${json("Rome")}}<|content_model_end_sampling|>`,
    { ...two, text: "So.", thought: "Hm." },
  ],
  [
    "Kimi K2",
    P.kimiK2,
    `So.<|tool_calls_section_begin|>${["Paris", "Rome"]
      .map((c, i) => `<|tool_call_begin|>functions.weather:${i}<|tool_call_argument_begin|>${json(c)}<|tool_call_end|>`)
      .join("")}<|tool_calls_section_end|>`,
    { ...two, text: "So." },
  ],
  [
    "Kimi K3",
    P.kimiK3,
    "<|open|>think<|sep|>Hm.<|close|>think<|sep|><|open|>response<|sep|>So.<|close|>response<|sep|><|open|>tools<|sep|>" +
      '<|open|>call tool="f" index="1"<|sep|><|open|>argument key="a" type="string"<|sep|>if x < 1: {}<|close|>argument<|sep|>' +
      '<|open|>argument key="b" type="object"<|sep|>{"c":1}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    { calls: [["f", { a: "if x < 1: {}", b: { c: 1 } }]], text: "So.", thought: "Hm." },
  ],
  [
    "GLM 4.5",
    { ...P.think, ...P.glm },
    "<think>Hm.</think>\n<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>\n<tool_call>now\n</tool_call>",
    { calls: [paris, ["now", {}]], thought: "Hm." },
  ],
  [
    "GLM 4.7, beside Hermes",
    { ...P.hermes, ...P.glm },
    `<tool_call>weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call><tool_call>now</tool_call><tool_call>${call("Rome")}</tool_call>`,
    { calls: [paris, ["now", {}], rome] },
  ],
  [
    "Hunyuan 3",
    P.hunyuan3,
    "<tool_calls><tool_call>weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call></tool_calls>",
    { calls: [paris] },
  ],
  [
    "Hunyuan 4",
    P.hunyuan3,
    "<tool_calls><tool_call>weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>\n<tool_call>now</tool_call></tool_calls>",
    { calls: [paris, ["now", {}]] },
  ],
  [
    "Solar Open 2",
    P.solar,
    "<|tool_call:start|>weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_call:end|>",
    { calls: [paris] },
  ],
  [
    "gpt-oss, a thought, a call and an answer",
    P.harmony,
    `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>${json("Paris")}<|call|><|start|>assistant<|channel|>final<|message|>So.<|return|>`,
    { calls: [paris], text: "So.", thought: "Hm." },
  ],
  [
    "gpt-oss, an answer in JSON",
    P.harmony,
    `<|channel|>final <|constrain|>json<|message|>${json("Paris")}<|return|>`,
    { calls: [], text: json("Paris") },
  ],
  [
    "gpt-oss, the recipient first",
    P.harmony,
    `<|start|>assistant to=functions.weather<|channel|>commentary <|constrain|>json<|message|>${json("Paris")}<|call|>`,
    { calls: [paris] },
  ],
  [
    "Mistral v11",
    P.mistral,
    `[THINK]Hm.[/THINK]So.[TOOL_CALLS]weather[ARGS]${json("Paris")}[TOOL_CALLS]weather${json("Rome")}`,
    { ...two, text: "So.", thought: "Hm." },
  ],
  [
    "Mistral v11, whose calls have ids",
    P.mistral,
    `[TOOL_CALLS]weather[CALL_ID]9aBcDeF12[ARGS]${json("Paris")}[TOOL_CALLS]weather[CALL_ID]9aBcDeF13[ARGS]${json("Rome")}`,
    two,
  ],
  ["Mistral before v11", P.mistralOld, `[TOOL_CALLS] [${call("Paris")}, ${call("Rome")}]`, two],
  [
    "MiniMax M2",
    { ...P.think, ...P.minimaxM2 },
    `<minimax:tool_call>\n${invoke("invoke", "parameter", "Paris")}\n${invoke("invoke", "parameter", "Rome")}\n</minimax:tool_call>`,
    two,
  ],
  [
    "MiniMax M3, with an argument that has tags of its own",
    P.minimaxM3,
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="f">\n]<]minimax[>[<a>if x < 1]<]minimax[>[</a>\n' +
      "]<]minimax[>[<b>]<]minimax[>[<c>1]<]minimax[>[</c>]<]minimax[>[</b>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
    { calls: [["f", { a: "if x < 1", b: { c: "1" } }]] },
  ],
  [
    "Step 3",
    P.step3,
    `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>${invoke("steptml:invoke", "steptml:parameter", "Paris")}<｜tool_call_end｜>` +
      `<｜tool_sep｜><｜tool_call_begin｜>${invoke("steptml:invoke", "steptml:parameter", "Rome")}<｜tool_call_end｜><｜tool_calls_end｜>`,
    two,
  ],
  [
    "Seed-OSS",
    P.seedOss,
    "<seed:think>Hm.</seed:think><seed:tool_call>\n<function=weather>\n<parameter=city>Paris</parameter>\n</function>\n</seed:tool_call>",
    { calls: [paris], thought: "Hm." },
  ],
  ["MiniCPM 5", P.minicpm, '<function name="weather"><param name="city">Paris</param></function>', { calls: [paris] }],
  [
    "Cohere Command",
    P.cohere,
    '<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[\n {"tool_call_id": "0", "tool_name": "weather", "parameters": {"city": "Paris"}}\n]<|END_ACTION|>',
    { calls: [paris], thought: "Hm." },
  ],
  ["Cohere's answer", P.cohere, "<|START_RESPONSE|>So.<|END_RESPONSE|>", { calls: [], text: "So." }],
  ["Granite 3", P.granite, `<|tool_call|>[${call("Paris")}, ${call("Rome")}]`, two],
  ["Granite 20B", P.graniteFc, `<function_call> ${call("Paris")}\n<function_call> ${call("Rome")}`, two],
  [
    "Granite 4, ERNIE 4.5",
    P.hermes,
    `<tool_call>\n${call("Paris")}\n</tool_call>\n<tool_call>${call("Rome")}</tool_call>`,
    two,
  ],
  ["Jamba", P.toolCalls, `<tool_calls>[\n${call("Paris")},\n${call("Rome")}\n]</tool_calls>`, two],
  [
    "Hunyuan A13B",
    P.hunyuan,
    `<think>\nHm.\n</think>\n<answer>\nSo.\n</answer><tool_calls>[${call("Paris")}]</tool_calls>`,
    { calls: [paris], text: "So.", thought: "Hm." },
  ],
  [
    "Hunyuan A13B, an answer in JSON",
    P.hunyuan,
    `<answer>${call("Paris")}</answer>`,
    { calls: [], text: call("Paris") },
  ],
  ["LongCat", P.longcat, `<longcat_tool_call>\n${call("Paris")}\n</longcat_tool_call>`, { calls: [paris] }],
  [
    "InternLM 2",
    P.internlm,
    'So.<|action_start|><|plugin|>\n{"name": "weather", "parameters": {"city": "Paris"}}<|action_end|>',
    { calls: [paris], text: "So." },
  ],
  ["Phi-4 mini", P.phi4, `functools[${call("Paris")}]`, { calls: [paris] }],
  ["GigaChat 3", P.gigachat, `So.<|message_sep|>\n<|function_call|>${call("Paris")}`, { calls: [paris], text: "So." }],
  [
    "Apertus",
    P.apertus,
    '<|tools_prefix|>[{"weather": {"city": "Paris"}}, {"now": {}}]<|tools_suffix|>',
    { calls: [paris, ["now", {}]] },
  ],
  [
    "LFM 2",
    P.lfm2,
    "<|tool_call_start|>[weather(city=\"Paris\"), f(a=1, b=[True, None], c={'d': -2.5}, e='it\\'s')]<|tool_call_end|>So.",
    { calls: [paris, ["f", { a: 1, b: [true, null], c: { d: -2.5 }, e: "it's" }]], text: "So." },
  ],
  [
    "LFM 2 as Python has it, with brackets around a value and commas at the ends",
    P.lfm2,
    "<|tool_call_start|>f(a=(1), b=(1,), c=(), d=1_0.5e1, e=[2,],),\ng(a={'x', 'y'}, b=07, c='1\n2')<|tool_call_end|>",
    {
      calls: [
        ["f", { a: 1, b: [1], c: [], d: 105, e: [2] }],
        ["g", { a: ["x", "y"], b: 7, c: "1\n2" }],
      ],
    },
  ],
  ["Llama 4", P.llama4, "<|python_start|>[weather(city='Paris')]<|python_end|>", { calls: [paris] }],
  ["OLMo 3", P.olmo3, '<function_calls>\nweather(city="Paris")\nweather(city="Rome")\n</function_calls>', two],
  [
    "Gemma 4",
    P.gemma4,
    '<|channel>thought\nHm.<channel|><|tool_call>call:f{a:<|"|>"x", {y}<|"|>,b:{c e:[1,true]},d:null}<tool_call|>',
    { calls: [["f", { a: '"x", {y}', b: { "c e": [1, true] }, d: null }]], thought: "Hm." },
  ],
  [
    "FunctionGemma",
    P.functionGemma,
    "<start_function_call>call:weather{city:<escape>Paris<escape>}<end_function_call>",
    { calls: [paris] },
  ],
  [
    "Cline and Roo",
    P.namedTools("write_to_file", "read_file"),
    "So.\n<write_to_file>\n<path>a.html</path>\n<content>\n<ul><li>1</li></ul>\n</content>\n</write_to_file>",
    { calls: [["write_to_file", { path: "a.html", content: "<ul><li>1</li></ul>" }]], text: "So." },
  ],
]
