// Keeps what rows on disk fill in, for each way that a connection can lose, repeat or merge what is in the file.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { join } from "../../src/reconcile/join.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { root } from "../fixtures.ts"
import { ids } from "../run/lines.ts"

/** The events of a run by number, from 1; `A`'s deltas 4 and 5 are equal, and those of `T` are another session's. */
function happened(run: string, number: number, merged = 1): readonly [event: string, data: object] {
  if (number === 1) return ["runner/started", { "session-id": `:${run}` }]
  if (number === 2) return ["llm/start", { ...ids, model: `m-${run}` }]
  if (number > 8) return [number === 9 ? "llm/worker-exit" : "runner/done", { ...ids, reason: run }]
  const said = (one: number): string => (run === "A" && one === 5 ? "A4 " : `${run}${one} `)
  const text = Array.from({ length: merged }, (_, i) => said(number - merged + 1 + i)).join("")
  const who = run === "T" ? { ...ids, "session-id": "t" } : ids
  return ["llm/delta", { type: "text-delta", ...who, text, ...(merged > 1 && { coalesced: merged }) }]
}

const OTHERS: Record<string, object> = {
  open: { kind: "sidecar", at: 1, what: "link", state: "open" },
  other: { kind: "sidecar", at: 1, what: "start", state: "open" },
  shut: { kind: "sidecar", at: 2, what: "link", state: "reconnecting" },
  phase: { kind: "phase", ts: 2000, config: ["now"] },
  prompt: { kind: "prompt", "prompt-id": "p", invokeid: "p", type: "text", opts: {} },
}

/** A file that begins with `~` has numbered its rows in another order than the hub. `A3` is an event, `A3-5` are three, `A3+5` are three in one; each as the hub or, numbered from 0, the file has it. */
function linesOf(told: string, isDisk: boolean) {
  const lines = told.split(" ").flatMap(word => {
    const [, run = "", first = "", how = "", last = first] = /^([A-Z])(\d+)(?:([-+])(\d+))?$/.exec(word) ?? []
    if (run === "") return word in OTHERS ? [OTHERS[word]] : []
    const numbers = Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i)
    return (how === "+" ? numbers.slice(-1) : numbers).map(number => {
      const [event, data] = happened(run, number, how === "+" ? numbers.length : 1)
      const ts = 1000 + number
      return isDisk ? { event, seq: number - 1, ts: ts - 2, data } : { kind: "event", seq: number, ts, event, data }
    })
  })
  const ordered = told.trim().startsWith("~") ? lines.map((line, seq) => ({ ...line, seq })) : lines
  return ordered.map(line => JSON.stringify(line)).map(text => ({ text, frame: decode(text) }))
}

/** An event with its number and what it says, in brackets if it comes from the file; a note with what it says. */
function pictured(line: string): string {
  const { kind = "", event, seq, ts, at, what, data, ...rest } = JSON.parse(line)
  if (event === undefined) return what === undefined ? kind : `(${what} at ${at}: ${Object.entries(rest).join(" ")})`
  const said = `${seq} ${(data.text ?? data.reason ?? data.model ?? data["session-id"]).trim()}`
  return ts < 1000 + seq ? `[${said}]` : said
}

const CASES = await Bun.file(`${root}/fixtures/scripts/joins.txt`).text()

test("what is joined of each", () => {
  const pictures = CASES.trim()
    .split("\n")
    .flatMap(one => {
      const [live = "", disk = ""] = one.trim().split("|")
      const told = [{}, { ahead: true }, { whole: false }].map(scope => {
        const joined = join(linesOf(live, false), linesOf(disk, true), { whole: true, ahead: false, ...scope })
        const { lines, lead, ...rest } = resultOf(joined)
        expect(lead).toBeNull()
        return `${Object.entries(rest).join(" ")}\n    ${lines.map(pictured).join(", ")}`
      })
      const [usual, ahead, part] = told
      return [one.trim(), `  ${usual}`, ...(ahead === usual ? [] : [`  ahead: ${ahead}`]), `  part: ${part}`]
    })
  expect(`${pictures.join("\n")}\n`).toMatchSnapshot()
})
