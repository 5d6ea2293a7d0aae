// Keeps what is said of addresses and of closed connections, and how messages, lines, numbers and times are read.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { describeClose, describeConnectionError } from "../../src/transport/connection-error.ts"
import { decodeMessage, recordingLine } from "../../src/transport/message.ts"
import { Pace, type Timing } from "../../src/transport/pace.ts"
import { eventNameOf, idsOf, readPlainLine } from "../../src/transport/plain-line.ts"
import { ReorderBuffer } from "../../src/transport/reorder-buffer.ts"
import { checkUrl, isLoopbackHost, requireUsable, urlWarning } from "../../src/transport/url.ts"

const URLS: readonly string[] = [
  ..."ws://127.0.0.1:3737/ws wss://127.255.0.9/ ws://[::1]:1/ws ws://localhost:3737/ws?a=b ws://LOCALHOST/".split(" "),
  ..."ws://127.1/ ws://2130706433/ ws://192.168.0.2:3737/ws wss://agent.example/ws ws://127.0.0.1.example/".split(" "),
  ..."ws://localhost.example/ ws://0.0.0.0/ ws://[::]/ ws://[::ffff:8.8.8.8]/ nonsense ws:// http://127.0.0.1/".split(
    " ",
  ),
  ..."ws://127.0.0.1:99999/ file:///etc/passwd ws://me:secret@127.0.0.1/ ws://me@h/ ws://127.0.0.1/ws#here".split(" "),
  ...["ws://127.0.0.1/#", "", "\u001b]0;x\u0007\n\u001b[2J"],
]

test("addresses", () => {
  const told = URLS.map(url => {
    const [here, remote] = [false, true].map(allowRemote => checkUrl(url, { allowRemote }))
    const warnings = remote === null ? [true, false].map(checked => urlWarning(url, checked)) : []
    const elsewhere = remote === here ? null : "is fine elsewhere"
    const all = [JSON.stringify(url), here ?? "is fine", elsewhere, ...new Set(warnings)]
    return all.filter(one => one !== null).join("\n  ")
  })
  const hosts = "127.0.0.1,localhost:80,[::1]:9,LOCALHOST,example.org,127.0.0.1.example,a b,,localhost/x".split(",")
  const tokens = ["abc", "", "a b", "é", "a\nb"].map(token => {
    try {
      requireUsable("ws://localhost/", token, { allowRemote: false })
      return `${JSON.stringify(token)} is usable`
    } catch (error) {
      return `${JSON.stringify(token)}: ${error}`
    }
  })
  expect([...told, ...hosts.map(host => `${host}: ${isLoopbackHost(host)}`), ...tokens].join("\n")).toMatchSnapshot()
})

test("closes and errors", () => {
  const codes = ["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EPROTO"]
  const untrusted = ["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT"]
  const others = ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_HAS_EXPIRED", "OTHER"]
  const ours = ["WS_ERR_UNSUPPORTED_MESSAGE_LENGTH", "WS_ERR_INVALID_UTF8"]
  const all = [...codes, ...untrusted, ...others, ...ours]
  const failed = "WebSocket connection to 'wss://h/' failed: "
  const messages = ["Expected 101 status code: 403", "status code: 401", "odd\u001b", "", "TLS failed: a failed: b"]
  const told = [
    ...all.map(code => `${code}: ${describeConnectionError(`${failed}x`, { code })}`),
    ...messages.flatMap(one => [describeConnectionError(failed + one, null), describeConnectionError(one, undefined)]),
    ...[describeClose(1006, ""), describeClose(4001, "over"), describeClose(4001, "\u001b[2Ja\nb")],
  ]
  expect(told.join("\n")).toMatchSnapshot()
})

const pause = '{"kind":"debug","paused":true,"step-budget":0}'
const phase = '{"kind":"phase","config":["a"]}'

const MESSAGES: readonly string[] = [
  pause,
  JSON.stringify(JSON.parse(pause), null, 1),
  `${pause}\n\n${phase}\r\n`,
  `${pause}\nnonsense\n${phase}`,
  ...["two\nlines", "", " \n ", "nonsense", "no JSON\n\nat all", `\n${pause}\n${phase}`],
  ...['{"kind":"phase",\n"config":["a"]}', '{"kind":"weird",  "x": 1}', "[1, 2]", "7"],
  ...['{"kind":"prompt","type":"text"}', '{"kind":"answer","prompt-id":"q#1","value":1}'],
  '"{\\"kind\\":\\"phase\\"}"',
  '{"kind":"sidecar","at":1,"what":"link"}',
  ...[`nonsense\n${pause}`, `\ufeff${pause}`, '"text"', ` ${pause} `],
]

test("messages, and the lines that are recorded of them", () => {
  const told = MESSAGES.flatMap(message => {
    const read = [...decodeMessage(message)].filter(one => typeof one !== "number")
    const lines = read.map(({ frame, text }) => {
      const why = frame.kind === "malformed" ? `: ${frame.why}` : ""
      const line = recordingLine({ frame, text })
      return `  ${frame.kind}${why}${line === text ? "" : `, recorded as ${line}`}`
    })
    return [JSON.stringify(message), ...lines]
  })
  expect(told.join("\n")).toMatchSnapshot()
})

const row = (event: string, data: object): string =>
  JSON.stringify({ kind: "event", seq: 7, ts: 1_780_000_000_000, event, data })
const ids = { invokeid: "writer-1", "session-id": ":session/a.1" }
const said = (text: string, type = "text-delta"): object => ({ type, text })

const LINES: readonly string[] = [
  row("llm/delta", { ...said("slow "), model: "m:4b", ...ids }),
  row("llm/delta", { ...said("slow ", "thinking-delta"), ...ids, usage: { "output-tokens": 3 } }),
  row("llm/delta", { ...ids, ...said("slow ") }),
  row("llm/delta", { ...said(""), ...ids }),
  row("llm/delta", { ...said('a "b" \n'), ...ids }),
  row("llm/delta", { ...said("Größe"), ...ids }),
  row("llm/delta", { ...ids, ...said("all"), whole: true }),
  row("llm/start", { ...ids, model: "m:4b" }),
  row("llm/start", ids),
  row("llm/response", ids),
  row("llm/delta", { ...ids, coalesced: 3, ...said("three words of it") }),
  row("llm/delta", { ...said("three"), coalesced: 3, ...ids }),
  row("llm/delta", ids),
  row("llm/start", { ...said("no delta"), ...ids }),
  row("llm/delta", { ...said("one"), ...ids }).replace('1"}}', '1","type":"text-delta","text":"other"}}'),
  `${row("llm/delta", { ...said("cr"), ...ids })}\r`,
  row("llm/delta", { ...said("x"), ...ids }).replace('"data"', '"transcript/turn":2,"transcript/node-id":"n","data"'),
  row("llm/delta", { ...said("x"), ...ids }).replace('"seq":7', '"seq":null'),
  row("a\\b", {}).replace('"kind":"event",', ""),
  "no JSON",
]

test("lines that are read at their usual places", () => {
  const told = LINES.map(line => {
    const plain = readPlainLine(line)
    const frame = decode(line)
    if (plain !== null && (frame.kind === "delta" || frame.kind === "event")) {
      // As they are when they are decoded.
      expect(idsOf(plain.ids)).toEqual([frame.invokeid ?? "", frame.sessionId ?? ""])
      expect([plain.seq, Number(plain.ts)]).toEqual([frame.seq ?? -1, frame.ts ?? -1])
      if (plain.text !== null) expect(frame).toMatchObject({ kind: "delta", text: plain.text })
    }
    return [line, `  ${eventNameOf(line)} ${JSON.stringify(plain)}`].join("\n")
  })
  expect(told.join("\n")).toMatchSnapshot()
})

/** Frames by their numbers: `8-2` covers two before it, `!1` starts a run, `-` has none, `?` is no frame, `@60` is a time. */
const ARRIVALS: readonly string[] = [
  ...["4 6 5 7", "1 5 3 2 4", "200 201", "5 3 5", "1 8-6 9", "1 9-6", "1 9 8-6", "50 52 !1 3 2", "0 !2 1", "1 3 - ? 2"],
  ...["1 @10 4 @30 3 @59 @60 5", "1 @10 3 @30 5 @60 @61 4", "50 52 reset 7 8", "1 3 3 2", "3-1 1 4", "1 5-2 3 2"],
  // So many are held at most.
  ["1", ...Array.from({ length: 63 }, (_, i) => i + 3), "100"].join(" "),
  ...["5 reset 50", "1 @10 9 7 @60 2", "1 9 9-6 2"],
]

function arrival(word: string): { frame: Decoded; name: string } {
  const [, start, seq = "", merged] = /^(!)?(\d+)(?:-(\d+))?$/.exec(word) ?? []
  const event = merged !== undefined ? "llm/delta" : start === "!" ? "runner/started" : "llm/start"
  const data = merged === undefined ? {} : { type: "text-delta", text: "x", coalesced: Number(merged) + 1 }
  const text = { kind: "event", seq: seq === "" ? null : Number(seq), ts: 1, event, data }
  return { frame: decode(word === "?" ? "no JSON" : JSON.stringify(text)), name: word }
}

test("the order in which frames come out", () => {
  const told = ARRIVALS.map(words => {
    const order = new ReorderBuffer<{ frame: Decoded; name: string }>()
    let now = 0
    const out = words.split(" ").map(word => {
      if (word === "reset") return order.reset()
      if (!word.startsWith("@")) return order.push(arrival(word), now)
      now = Number(word.slice(1))
      return order.takeDue(now)
    })
    const shown = out.map(items => items.map(({ name }) => name).join(" ") || ".").join(" | ")
    return `${words}: ${shown}, due at ${order.dueAt}, left ${order.flush().map(({ name }) => name)}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})

/** Frames by their times: `-` has none, `n` is a note. */
const TIMES: readonly (readonly [Timing, string, number])[] = [
  ["instant", "0 5000 -", 1],
  ["paced", "0 n - 9999 -", 1],
  ["paced", "0 0", 4],
  ["wallclock", "1000 1500 1500 90000 90100", 1],
  ["wallclock", "0 1000 99999", 2],
  ["wallclock", "- 100 - n - 300", 1],
  ["wallclock", "1000 400 1000 1100", 1],
  ["wallclock", "1000000 5 105", 1],
  ["wallclock", "3000 1000 2000 4000", 1],
]

test("when the frames of a recording are due", () => {
  const frame = (word: string) => {
    if (word === "n") return decode('{"kind":"sidecar","at":99999,"what":"link"}')
    const ts = word === "-" ? null : Number(word)
    return decode(JSON.stringify({ kind: "event", seq: null, ts, event: "llm/start", data: {} }))
  }
  const told = TIMES.map(([timing, words, speed]) => {
    const pace = new Pace(timing, speed, 2000)
    let now = 0
    const due = words.split(" ").map(word => {
      now = pace.dueAt(frame(word), now)
      return now
    })
    const later = pace.continued(2, 1000, now - 500, 10_000)
    return `${timing} ${speed} ${words}: ${due.join(" ")}, continued ${later.due} ${later.dueAt(frame("90200"), 10_000)}`
  })
  const late = new Pace("paced", 1, 2000)
  const lag = [0, 0, 100, 100_000, 100_000].map(now => late.dueAt(frame("0"), now))
  expect([...told, lag.join(" ")].join("\n")).toMatchSnapshot()
})
