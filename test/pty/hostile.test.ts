import { describe, expect, test } from "bun:test"
import { event, phase } from "../agent/ui.ts"
import { shape, takeApart } from "./sequences.ts"
import { openLive } from "./sidecar.ts"

const codes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i))

/** Each holds 40404, which nothing of ours does. */
const forms = [
  ...codes(0x00, 0x1f).map(code => `40404${code}40404`),
  ...codes(0x7f, 0x9f).map(code => `40404${code}40404`),
  "\x1b[40404;1H",
  "\x1b[?40404h",
  "\x1b[40404m",
  "\x9b40404m",
  "\x1b]52;c;40404\x07",
  "\x1b]0;40404\x1b\\",
  "\x9d8;;40404\x9c",
  "\x1bP40404q\x1b\\",
  "\x9040404\x9c",
  "\x1b_40404\x1b\\",
  "\x1b^40404\x1b\\",
  "\x1bX40404\x1b\\",
  "\x1bc40404",
  "\x1b(040404",
  "\u2028\u202e40404\u2069",
]
const hostile = forms.join("")
/** As long, and with nothing in it that steers. */
const harmless = (text: string) => text.replaceAll(/[^\n -~]/gu, "x")

/** A run that says `text` wherever an agent can say anything. */
function run(dress: (text: string) => string): readonly string[] {
  const nasty = dress(hostile)
  const who = { invokeid: `planner${nasty}`, "session-id": `s1${nasty}`, model: `m${nasty}` }
  const deltas = [...dress(forms.join("|"))].map((_, i, all) => all.slice(i * 3, i * 3 + 3).join("")).filter(Boolean)
  return [
    event("runner/started", { "session-id": nasty, "chart-id": `:c${nasty}` }),
    phase("run", `state${nasty}`),
    event("llm/start", who),
    event("llm/request", { ...who, "user-blocks": [{ type: "text", text: nasty }], "system-preview": nasty }),
    event("llm/delta", { ...who, type: "thinking-delta", text: nasty }),
    // Sequences that begin in one delta and end in another.
    ...deltas.map(text => event("llm/delta", { ...who, type: "text-delta", text })),
    event("llm/tool-result", { ...who, tool: `tool${nasty}`, "is-error": true, "content-preview": nasty }),
    event("llm/start", { ...who, "session-id": `s2${nasty}` }),
    event("llm/error", { ...who, "session-id": `s2${nasty}`, message: nasty }),
    event(`unknown/${nasty}`, { [nasty]: nasty }),
    JSON.stringify({ kind: "progress", phase: "update", invokeid: who.invokeid, pct: 0.5, label: nasty }),
    `{"kind":"${dress("\x1b[40404m\x9b40404m")}`,
    JSON.stringify({
      kind: "prompt",
      "prompt-id": `ask${nasty}#1`,
      invokeid: `ask${nasty}`,
      type: "select",
      opts: { prompt: `Which?\n${nasty}`, options: [{ label: `first${nasty}`, value: nasty }] },
    }),
  ]
}

/** Goes round every place where such text is shown, and gives what reached the terminal. */
async function tour(dress: (text: string) => string): Promise<{ raw: string; answer: unknown }> {
  await using sidecar = await openLive(run(dress), {
    // A bell of our own is no bell of the agent.
    env: { OPENTUI_CHART: dress(`chart${forms.join("").replaceAll("\0", "")}`), OPENTUI_BELL: "0" },
    agent: { debug: true },
  })
  const front = (title: string) => sidecar.waitFor(rows => rows.some(row => row.includes(`─ ${title}`)))
  const back = async () => {
    sidecar.press("\x1b")
    await sidecar.waitFor(rows => rows.some(row => row.includes("─ LIVE")) && rows.some(row => row.includes("─ LOG")))
  }
  await sidecar.waitFor("Which?")
  sidecar.press("1")
  const { value: answer } = await sidecar.hears({ kind: "answer" })
  await sidecar.waitFor("Run finished")
  sidecar.press("i")
  await front("INVOCATIONS")
  sidecar.press("5")
  await front("STATUS")
  await back()
  sidecar.press("\r")
  await sidecar.waitFor(rows => !rows.some(row => row.includes("─ LOG")))
  sidecar.press("g")
  await back()
  // Each row of the log, opened with all its data.
  sidecar.press("\t\t")
  for (let row = 0; row < 12; row += 1) {
    sidecar.press("\r")
    await sidecar.waitFor(rows => !rows.some(one => one.includes("─ LIVE")))
    await back()
    sidecar.press("k")
  }
  sidecar.press("\x03")
  expect(await sidecar.exited).toBe(0)
  return { raw: sidecar.raw, answer }
}

describe("case 12: what an agent says", () => {
  test("steers no terminal, whatever it holds and wherever it is shown, and ids and values come back unchanged", async () => {
    const [calm, wild] = await Promise.all([tour(harmless), tour(text => text)])
    const usual = new Set(takeApart(calm.raw).sequences.map(shape))
    const { sequences, text } = takeApart(wild.raw)
    expect(sequences.filter(one => !usual.has(shape(one)))).toEqual([])
    // A title holds the chart's name, as marks: it is text to the check below.
    const titles = sequences.filter(one => one.startsWith("\x1b]2;"))
    expect(sequences.filter(one => one.includes("40404") && !titles.includes(one))).toEqual([])
    const shown = [text, ...titles.map(one => one.slice(4).replace(/\x07$/, ""))].join("\n")
    // Whatever is left beside the renderer's own sequences is text, line ends of the way out aside.
    expect(shown.match(/[\0-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g)).toBeNull()
    expect(text).toContain("40404␛40404")
    expect(wild.answer).toBe(hostile)
  })
})
