// Keeps what is said of addresses and of closed connections, and how messages, lines, numbers and times are read.
import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { describeClose, describeConnectionError } from "../../src/transport/connection-error.ts"
import { decodeMessage, frameText, recordingLine } from "../../src/transport/message.ts"
import { Pace, type Timing } from "../../src/transport/pace.ts"
import { eventNameOf, idsOf, readPlainLine } from "../../src/transport/plain-line.ts"
import { ReorderBuffer } from "../../src/transport/reorder-buffer.ts"
import { checkUrl, isLoopbackHost, requireUsable, urlWarning } from "../../src/transport/url.ts"
import { root } from "../fixtures.ts"
import { forAll } from "../for-all.ts"

interface Cases {
  readonly addresses: readonly string[]
  readonly messages: readonly string[]
  readonly lines: readonly string[]
  /** Frames by their numbers: `8-2` covers two before it, `!1` starts a run, `-` has none, `?` is no frame, `@60` a time. */
  readonly arrivals: readonly string[]
  /** Frames by their times: `-` has none, `n` is a note. */
  readonly times: readonly (readonly [Timing, string, number])[]
}

const CASES: Cases = await Bun.file(join(root, "fixtures/scripts/transport.json")).json()

test("addresses", () => {
  const told = CASES.addresses.map(url => {
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

test("messages, and the lines that are recorded of them", () => {
  const told = CASES.messages.flatMap(message => {
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

test("lines that are read at their usual places", () => {
  const told = CASES.lines.map(line => {
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

function arrival(word: string): { frame: Decoded; name: string } {
  const [, start, seq = "", merged] = /^(!)?(\d+)(?:-(\d+))?$/.exec(word) ?? []
  const event = merged !== undefined ? "llm/delta" : start === "!" ? "runner/started" : "llm/start"
  const data = merged === undefined ? {} : { type: "text-delta", text: "x", coalesced: Number(merged) + 1 }
  const text = { kind: "event", seq: seq === "" ? null : Number(seq), ts: 1, event, data }
  return { frame: decode(word === "?" ? "no JSON" : JSON.stringify(text)), name: word }
}

test("the order in which frames come out", () => {
  const told = CASES.arrivals.map(words => {
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

test("when the frames of a recording are due", () => {
  const frame = (word: string) => {
    if (word === "n") return decode('{"kind":"sidecar","at":99999,"what":"link"}')
    const ts = word === "-" ? null : Number(word)
    return decode(JSON.stringify({ kind: "event", seq: null, ts, event: "llm/start", data: {} }))
  }
  const told = CASES.times.map(([timing, words, speed]) => {
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

const pause = '{"kind":"debug","paused":true,"step-budget":0}'
const phase = '{"kind":"phase","config":["a"]}'

const framesOf = (text: string) => [...decodeMessage(text)].filter(step => typeof step !== "number")

test("a line of more than 16 MB in a message is malformed, with its first 4 KB and its length", () => {
  const length = 16 * 1024 * 1024 + 1
  const [before, long, after] = framesOf(`${pause}\n${"x".repeat(length)}\n${phase}`)
  expect([before?.frame.kind, after?.frame.kind]).toEqual(["debug", "phase"])
  expect(long?.frame).toEqual({ kind: "malformed", raw: "x".repeat(4096), length, why: "longer than 16 MB" })
})

test("a binary message is text, with invalid UTF-8 replaced by U+FFFD", () => {
  expect(frameText(Buffer.from("é"))).toBe("é")
  expect(frameText(new Uint8Array([0x61, 0xff]))).toBe("a\ufffd")
})

test("a recording line is one line and decodes to the same frame (property)", async () => {
  const json = fc.oneof(
    fc.constantFrom(pause, phase, '{"kind":"sidecar"}', "{", "null", "\ufeff"),
    fc.json(),
    fc.string(),
  )
  const quoted = fc.tuple(json, fc.boolean()).map(([text, isQuoted]) => (isQuoted ? JSON.stringify(text) : text))
  const between = fc.constantFrom("", "\n", "\r\n", " ", "\n\n", "\t")
  const message = fc
    .array(fc.tuple(between, quoted), { maxLength: 4 })
    .chain(parts => between.map(end => parts.flat().join("") + end))
  await forAll([message], 500, text => {
    for (const arrival of framesOf(text)) {
      const line = recordingLine(arrival)
      expect(line).not.toMatch(/[\n\r]/)
      expect(decode(line)).toEqual(arrival.frame)
    }
  })
})
