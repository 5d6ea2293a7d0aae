// Lists streams as providers send them, and as callers pass them on: whole, cut off, broken and odd.

type Stream = readonly unknown[]

const choice = (delta: object, more: object = {}) => ({ id: "1", choices: [{ index: 0, delta, ...more }] })
const said = (content: unknown) => choice({ content })
const called = (args: unknown, more: object = {}) =>
  choice({ tool_calls: [{ index: 0, id: "c1", function: { name: "look", arguments: args }, ...more }] })
const more = (args: unknown, index = 0) => choice({ tool_calls: [{ index, function: { arguments: args } }] })
const stop = (finish_reason: unknown) => choice({}, { finish_reason })

export const OPENAI: Readonly<Record<string, Stream>> = {
  "text, thoughts and a call": [
    choice({ role: "assistant", content: null, reasoning_content: "Hm." }),
    said("Hi"),
    called(""),
    more('{"a":'),
    more("1}"),
    stop("tool_calls"),
    { id: "1", choices: [], usage: { total_tokens: 5 } },
  ],
  "thoughts by another name": [choice({ reasoning: "Hm." }), choice({ reasoning: "So", reasoning_content: "" })],
  "a content in parts": [
    said([
      { type: "thinking", thinking: [{ type: "text", text: "Hm" }, { text: 7 }] },
      { type: "text", text: "Hi" },
    ]),
    said([7, { text: "!" }, null]),
  ],
  "a refusal": [choice({ content: null, refusal: "No." }), choice({ content: "", refusal: "Never." })],
  "a message": [
    { choices: [{ message: { content: "A", tool_calls: [{ id: "m", function: { name: "f", arguments: "{}" } }] } }] },
  ],
  "the second answer first": [
    {
      choices: [
        { index: 1, delta: { content: "B" } },
        { index: 0, delta: { content: "A" } },
      ],
    },
    { choices: [{ delta: { content: "C" } }] },
    { choices: [{ index: 1, delta: { content: "D" } }] },
  ],
  "a call without arguments": [called(null), stop("tool_calls")],
  "a call that is cut off": [called("")],
  "a call that is cut off for its length": [called(""), stop("length")],
  "a call that is cut off by a filter": [called(""), stop("content_filter")],
  "a call with a stop of no text": [called(""), stop(7), stop("")],
  "a call whose arguments are an object": [called({ a: 1 })],
  "a call whose arguments are no object": [called(7, {}), stop("tool_calls")],
  "a call whose arguments break off": [called('{"a":'), stop("tool_calls")],
  "a call without a name": [
    choice({ tool_calls: [{ index: 0, id: "c1", function: { arguments: '{"a":1}' } }] }),
    stop("stop"),
  ],
  "a call without an index": [
    choice({ tool_calls: [{ id: "c1", function: { name: "look", arguments: '{"a":1}' } }] }),
    choice({ tool_calls: [{ id: "c2", function: { name: "look", arguments: '{"a":2}' } }] }),
    stop("tool_calls"),
  ],
  "calls without an index or an id": [
    choice({ tool_calls: [{ function: { name: "look", arguments: '{"a":' } }] }),
    choice({ tool_calls: [{ function: { arguments: "1}" } }] }),
    choice({ tool_calls: [{ function: { name: "seek", arguments: "{}" } }] }),
    stop("tool_calls"),
  ],
  "two calls by turns": [
    called('{"a":'),
    choice({ tool_calls: [{ index: 1, id: "c2", function: { name: "seek", arguments: '{"b":' } }] }),
    more("1}"),
    more("2}", 1),
    stop("tool_calls"),
  ],
  "two calls with one index": [
    called('{"a":1}'),
    choice({ tool_calls: [{ index: 0, id: "c2", function: { name: "seek", arguments: "{}" } }] }),
    stop("tool_calls"),
  ],
  "two calls with one id": [
    called('{"a":1}'),
    choice({ tool_calls: [{ index: 1, id: "c1", function: { name: "look", arguments: "{}" } }] }),
    stop("tool_calls"),
  ],
  "text after a call": [called('{"a":1}'), said("So."), more("late"), said(" And.")],
  "text within a call": [called('{"a":'), said("So."), more("1}"), said("End."), stop("tool_calls")],
  "thoughts after a call": [called('{"a":1}'), choice({ reasoning: "Hm." }), stop("tool_calls")],
  "a name after its arguments": [
    more('{"a":1}'),
    choice({ tool_calls: [{ index: 0, id: "late", function: { name: "look" } }] }),
  ],
  "half a character": [
    said("a\ud83d"),
    said("\ude00b\ud83d"),
    choice({ reasoning: "c\ud83d" }),
    choice({ reasoning: "\ude00" }),
  ],
  "an error": [said("Hi"), { error: { message: "overloaded", code: 529 } }],
  "another provider's events": [{ type: "message_start" }, { type: "message_stop" }],
  "what are no events": ["Hi", 7, null],
  nothing: [],
}

const block = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block })
const part = (index: number, delta: object) => ({ type: "content_block_delta", index, delta })
const json = (index: number, partial_json: string) => part(index, { type: "input_json_delta", partial_json })
const use = (index: number, input: object = {}) =>
  block(index, { type: "tool_use", id: `t${index}`, name: "look", input })
const ended = (stop_reason: string) => ({ type: "message_delta", delta: { stop_reason } })

export const ANTHROPIC: Readonly<Record<string, Stream>> = {
  "thoughts, text and tool use": [
    { type: "message_start", message: {} },
    block(0, { type: "thinking", thinking: "" }),
    part(0, { type: "thinking_delta", thinking: "Hm." }),
    part(0, { type: "signature_delta", signature: "x" }),
    { type: "content_block_stop", index: 0 },
    block(1, { type: "text", text: "" }),
    part(1, { type: "text_delta", text: "Hi" }),
    { type: "ping" },
    use(2),
    json(2, ""),
    json(2, '{"a":'),
    json(2, "1}"),
    ended("tool_use"),
    { type: "message_stop" },
  ],
  "a tool on the server": [
    block(0, { type: "server_tool_use", id: "s", name: "search", input: {} }),
    json(0, '{"q":1}'),
    block(1, { type: "text", text: "Found." }),
  ],
  "input with the call": [use(0, { a: 1 }), ended("tool_use")],
  "no input": [use(0), ended("tool_use")],
  "no input, cut off": [use(0), ended("max_tokens")],
  "no input, refused": [use(0), ended("refusal")],
  "no input, the window full": [use(0), ended("model_context_window_exceeded")],
  "no input, no end": [use(0)],
  "two calls": [use(0), use(1), json(1, '{"b":2}'), json(0, '{"a":1}'), ended("tool_use")],
  "a block without an index": [
    { type: "content_block_start", content_block: { type: "tool_use", id: "t", name: "f", input: {} } },
  ],
  "text in a block's beginning": [block(0, { type: "text", text: "A" }), block(0, { type: "text", text: 7 })],
  "an error": [block(0, { type: "text", text: "A" }), { type: "error", error: { type: "overloaded_error" } }],
  "another provider's chunks": [said("Hi")],
}

/** Bodies of answers; `fromSSE` reads each. */
export const BODIES: Readonly<Record<string, string>> = {
  events:
    ': hello\r\nevent: x\r\nid: 7\r\ndata: {"a":\r\ndata: "é"}\r\n\r\n\ndata:{"b":2}\n\nretry\n\ndata: [DONE]\n\ndata: 3\n\n',
  "an event without an end": 'data: {"a":1}',
  "an event with an end of blanks": 'data: {"a":1}  \n  ',
  "old line ends": "data: 1\r\rdata: 2\r\r",
  "values that are no objects": "data: 1\n\ndata: null\n\ndata: []\n\n",
  "no JSON": "data: <html>\n\n",
  "a page": "<html>",
  "an answer that does not stream": '{"choices":[{"message":{"content":"Hi"}}]}',
  "an error beside the events": 'data: 1\n\nerror: {"code":500}\n\n',
  "a field without a name": ":\n: x\ndata: 1\n\n",
  "an empty event": "data:\n\n",
  nothing: "",
}

const call = (delta: object, index = 0) => ({ tool_calls: [{ index, ...delta }] })
const FILE = '{"path":"/a.ts","content":"x = \\"1\\"\\n"}'

/** Chunks as a caller passes them to a handler. */
export const CHUNKS: Readonly<Record<string, Stream>> = {
  "text with tags": ["a<run_bash>l", "s</run_bash>", { content: "b" }],
  "a file in tags": ["Hello <write_file path='/a.ts'>", "print('hi')</write_file>"],
  "an open command and thoughts": ["a<run_bash>rm", { reasoning: "hm" }],
  "thoughts and text in one chunk": [
    { reasoning: "hm", content: "a" },
    { reasoning: "so", ...call({ call_id: "c", name: "f" }) },
  ],
  "one call after the other": [
    "First a.",
    call({ call_id: "a", name: "f", arguments_delta: '{"x":1}' }),
    call({ call_id: "b", name: "g", arguments_delta: "{}" }, 1),
    call({ call_id: "a", arguments_delta: "" }),
    "Then b.",
  ],
  "two calls by turns": [
    call({ call_id: "b", name: "g", arguments_delta: '{"y":' }, 1),
    call({ call_id: "a", name: "f" }),
    call({ arguments_delta: '{"x":1}' }),
    call({ arguments_delta: "2}" }, 1),
  ],
  "calls without an index": [
    { tool_calls: [{ name: "f", arguments_delta: "{}" }] },
    { tool_calls: [{ name: "g", arguments_delta: "{}" }] },
  ],
  "arguments before and with the name": [
    call({ call_id: "c", arguments_delta: '{"path":"/a",' }),
    call({ name: "write_file", arguments_delta: '"content":"x"}' }),
  ],
  "thoughts between texts": [
    { reasoning: "hm " },
    { reasoning: "so" },
    "a",
    { reasoning: "and" },
    { content: "" },
    "b",
  ],
  "a call in pieces": [
    "Hi",
    call({ call_id: "c", name: "f", arguments_delta: '{"a":' }),
    call({ arguments_delta: "1}" }),
    "So.",
  ],
  "a call with its name late": [call({ arguments_delta: '{"a":1}' }), call({ call_id: "c", name: "f" })],
  "a call without a name": [call({ call_id: "c", arguments_delta: '{"a":1}' })],
  "a call without arguments": [call({ call_id: "c", name: "f" })],
  "a call without arguments, perhaps cut off": [{ ...call({ call_id: "c", name: "f" }), is_cut: true }],
  "a call that breaks off": [call({ call_id: "c", name: "f", arguments_delta: '{"a":"x' })],
  "a file": [
    call({ call_id: "c", name: "write_file", arguments_delta: FILE.slice(0, 22) }),
    call({ arguments_delta: FILE.slice(22) }),
  ],
  "a file whose path comes last": [
    call({ call_id: "c", name: "write_file", arguments_delta: '{"content":"x","path":"/a"}' }),
  ],
  "a file without a path": [call({ call_id: "c", name: "write_file", arguments_delta: '{"content":"x"}' })],
  "an edit": [call({ call_id: "c", name: "edit_file", arguments_delta: '{"path":"/a","patch":"@@ -1 +1 @@"}' })],
  "a command": [call({ call_id: "c", name: "run_bash", arguments_delta: '{"command":"ls","background":true}' })],
  "nothing at all": [{}, { content: null, reasoning: null, tool_calls: null }, { tool_calls: [] }, ""],
  "usage at the end": ["a", { content: "", is_complete: true, usage: { total: 1 } }],
}

/** Values that are no chunks. */
export const WRONG: Stream = [
  ...[
    undefined,
    null,
    7,
    true,
    ["a"],
    new Uint8Array([65]),
    new Date(0),
    { choices: [] },
    { type: "text-delta", text: "x" },
    { type: "message_stop" },
  ],
  ...[{ content: 7 }, { content: {} }, { reasoning: 7 }, { reasoning: ["a"] }, { tool_calls: {} }, { tool_calls: "x" }],
  ...[
    { tool_calls: [7] },
    { tool_calls: [null] },
    { tool_calls: [{ function: {}, index: 0 }] },
    { tool_calls: [{ id: "c" }] },
  ],
  Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`key ${i}`, i])),
]

/** The JSON of a call's arguments, as models write it. */
export const ARGUMENTS: readonly string[] = [
  '{"q":"a \\"b\\"\\n\\u00e9\\ud83d\\ude00","list":[1,{"x":"}"}],"on":true,"n":-1.5,"no":null}',
  '{"n":12345678901234567890,"e":1e400,"blank": 7 ,"last":[ ]}',
  '{"q":"a","q":"b","q":1}',
  '{"q":"","o":{},"l":[]}',
  '{"q":"\\x\\u12","r":"\\\\","s":"\\u00"}',
  '{"q":"line\nbreak","t":"tab\t"}',
  '{"a":{"arguments":{"b":1}},"name":"inner"}',
  '{"q":"cut off',
  '{"q":"cut\\',
  '{"q":[1,2',
  '{"q":tru',
  '{"q"',
  '[{"q":1}]',
  '"text"',
  "{}{}",
  '{"q":1}{"r":2}',
  "{q:1}",
  "{'q':'a'}",
  '{"q":1,}',
  "",
  " \n",
]

/** Calls in JSON, as families write them within their tags. */
export const CALLS: readonly string[] = [
  '{"name":"f","arguments":{"q":"x"}}',
  '{"arguments":{"q":"x"},"name":"f"}',
  '{"name":"f","arguments":"{\\"q\\":\\"x\\\\n\\"}"}',
  '{"function":{"name":"f","arguments":"{\\"q\\":1}"}}',
  '{"tool":"f","parameters":{"q":1,"name":"inner"}}',
  '{"tool_calls":[{"function":{"name":"a","arguments":"{\\"q\\":1}"}},{"function":{"name":"b","arguments":{"r":2}}}]}',
  '[{"name":"a","args":{"q":1}},{"name":"b","args":{}}]',
  '{"name":"f"}',
  '{"name":"f","arguments":null}',
  '{"name":"f","arguments":[1]}',
  '{"name":7,"arguments":{"q":1}}',
  '{"name":"f","arguments":{"q":{"arguments":{"r":1}}}}',
]
