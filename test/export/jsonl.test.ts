// Tests that a JSONL export keeps every line except for secrets, also those split over deltas.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import { exportText } from "../../src/export/export-text.ts"
import { JsonLines } from "../../src/export/jsonl.ts"
import { Redactor } from "../../src/export/redact.ts"
import { forAll } from "../for-all.ts"
import { eventText, ids } from "../run/lines.ts"

function exported(lines: readonly string[], redactor: Redactor | null, torn = false, shown = false): string {
  const writer = new JsonLines({ redactor, shown })
  const read = lines.map((text, i) => ({ text, frame: decode(text), last: torn && i === lines.length - 1 }))
  return writer.push(read) + writer.push([]) + writer.end()
}

const delta = (text: string, session = "s", extra: object = {}): string =>
  eventText(1, "llm/delta", { text, invokeid: "a", "session-id": session, ...extra })
const textsOf = (out: string): readonly string[] =>
  out
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line).data.text)

test("a JSONL export keeps every byte of lines without secrets", () => {
  const lines = ['{"kind" : "event","event":"x","n":1e400}', "", "no json \u001b[2J", '"\\"quoted\\""', "[1]"]
  for (const redactor of [null, new Redactor()]) {
    expect(exported(lines, redactor)).toBe(`${lines.join("\n")}\n`)
    expect(exported([...lines, '{"torn'], redactor, true)).toBe(`${lines.join("\n")}\n{"torn`)
    // More than are held back.
    const many = Array.from({ length: 9000 }, (_, i) => `${i}`).join("\n")
    expect(exported(`${many}\n{"torn`.split("\n"), redactor, true)).toBe(`${many}\n{"torn`)
  }
})

test("an export of spans with contents has no secrets either", async () => {
  const call = { type: "tool_use", name: "t", input: { token: "abc" } }
  const content = [{ type: "text", text: "use sk-0123456789abcdefgh" }, call]
  const texts = [eventText(1, "llm/start", ids), eventText(2, "llm/response", { ...ids, content })]
  const lines = () => [texts.map(text => ({ text, frame: decode(text), last: false }))]
  const run = () => Promise.reject(new Error("expected no run to be read"))
  const document = { title: "", session: null, where: null, redactor: new Redactor(), read: null, recall: null }
  const options = { ...document, shown: false, content: true }
  const out = (await Array.fromAsync(exportText("otlp", { lines, run }, options))).join("")
  const { content: _, ...usual } = options
  expect((await Array.fromAsync(exportText("otlp", { lines, run }, usual))).join("")).not.toContain("use ")
  expect(out).toContain("use [redacted API key]")
  // The JSON of a call is known by its names.
  expect(out).toContain('{\\"token\\":\\"[redacted password]\\"}')
})

test("a JSONL export to a terminal has no control characters, beside a removed secret either, and equal JSON", () => {
  const out = exported(['{"event":"\u009b2J\u202e\u007f"}', "no \u001b]0;x\u0007"], null, false, true)
  expect(out).toBe('{"event":"\\u009b2J\\u202e\\u007f"}\nno ␛]0;x␇\n')
  expect(JSON.parse(out.split("\n")[0] ?? "")).toEqual({ event: "\u009b2J\u202e\u007f" })
  const lines = ['{"event":"\u009b2J\u202e sk-0123456789abcdefgh"}', "no \u001b sk-0123456789abcdefgh"]
  const removed = '{"event":"\\u009b2J\\u202e [redacted API key]"}\nno ␛ [redacted API key]\n'
  expect(exported(lines, new Redactor(), false, true)).toBe(removed)
})

describe("a secret split over deltas", () => {
  const NOTE = { note: { text: "kept" } }
  test("is removed from each of them", () => {
    const lines = ["my key: sk-", "0123456789", "abcdef", "gh and on"].map(text => delta(text, "s", NOTE))
    const redactor = new Redactor()
    const out = exported(lines, redactor)
    expect(textsOf(out)).toEqual(["my key: [redacted API key]", "", "", " and on"])
    expect(out.split(JSON.stringify(NOTE).slice(1, -1))).toHaveLength(5)
    expect(redactor.words()).toBe("redacted 1 likely secret: 1 API key")
  })
  test("is removed from a text that has characters which are not shown", () => {
    expect(textsOf(exported([delta("a\u001b sk-01234567"), delta("89abcdefgh")], new Redactor()))).toEqual([
      "a␛ [redacted API key]",
      "",
    ])
  })
  test("is removed among deltas of other sessions, and of thinking", () => {
    const lines = [
      delta("sk-01234567"),
      delta("sk-a", "t"),
      delta("hmm", "s", { type: "thinking-delta" }),
      eventText(1, "llm/start", { ...ids, "session-id": "t" }),
      eventText(1, "llm/retry", ids),
      delta("89abcdefgh."),
      delta("fterwards", "t"),
    ]
    const texts = textsOf(exported(lines, new Redactor())).filter(Boolean)
    expect(texts).toEqual(["[redacted API key]", "sk-a", "hmm", ".", "fterwards"])
  })
  test.each(["llm/start", "llm/response"])("is not assumed if another turn began in between: %s", event => {
    const lines = [delta("ask-or sk-"), eventText(null, event, ids), delta("0123456789abcdefgh")]
    expect(exported(lines, new Redactor())).toBe(`${lines.join("\n")}\n`)
  })
  test("is removed however it is split, and its surroundings stay", async () => {
    const whole = "say password=hunter2 and sk-0123456789abcdefgh, then Bearer abcdef0123456789 ok"
    await forAll([fc.array(fc.nat(whole.length), { maxLength: 12 })], 100, cuts => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
      const pieces = places.slice(1).map((to, i) => delta(whole.slice(places[i], to)))
      const out = textsOf(exported(pieces, new Redactor())).join("")
      expect(out).toBe("say password=[redacted password] and [redacted API key], then Bearer [redacted token] ok")
    })
  })
  test("is removed from the text alone, not from another value that is as long", () => {
    const lines = [delta("sk-01234567", "s", { told: "sk-01234567" }), delta("89abcdefgh")]
    expect(exported(lines, new Redactor())).toContain('"told":"sk-01234567"')
  })
  test("holds back no more than so many characters, and after that as many again", () => {
    const writer = new JsonLines({ redactor: new Redactor(), shown: false })
    const text = delta("x".repeat(1_000_000))
    const out = Array.from({ length: 40 }, () => writer.push([{ text, frame: decode(text), last: false }]))
    const written = out.flatMap((one, i) => (one === "" ? [] : [`${i + 1}: ${one.trimEnd().split("\n").length}`]))
    expect(written).toEqual(["17: 8", "25: 8", "33: 8"])
    expect(writer.end().trimEnd().split("\n")).toHaveLength(16)
  })
  test("is removed behind another that was found while its own end had not come", () => {
    const writer = new JsonLines({ redactor: new Redactor(), shown: false })
    // As many as are held, of which half is written then, and the first of these two is not.
    const texts = Array.from({ length: 8195 }, () => delta("."))
    texts.splice(5000, 1, delta("sk-0123456789abcdefgh, ghp_", "t"))
    texts.splice(8194, 1, delta("0".repeat(36), "t"))
    const out = texts.map(text => writer.push([{ text, frame: decode(text), last: false }])).join("") + writer.end()
    expect(textsOf(out).filter(text => text !== ".")).toEqual(["[redacted API key], [redacted API key]", ""])
  })
  test("is removed also if more lines follow than are held", () => {
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      // A half has 4096, so that the secrets lie on both sides of where one ends.
      delta(i % 4096 === 4095 ? "sk-0123456789" : i % 4096 === 0 ? "abcdefgh " : "."),
    )
    const redactor = new Redactor()
    const writer = new JsonLines({ redactor, shown: false })
    let out = ""
    for (const text of lines) out += writer.push([{ text, frame: decode(text), last: false }])
    // Most were released before.
    expect(out.split("\n").length).toBeGreaterThan(10_000)
    out += writer.end()
    const said = textsOf(out)
    expect(said).toHaveLength(20_000)
    expect(said.join("")).not.toContain("sk-0123456789abc")
    expect(redactor.words()).toBe("redacted 1 likely secret: 1 API key")
  })
})
