// Tests that an agent's text never controls the terminal.
import { expect, test } from "bun:test"
import { event, phase, prompt } from "../agent/ui.ts"
import { forms, formsByChance, SENTINEL } from "./corpus.ts"
import { carried, isOurs, STEERING, takeApart } from "./sequences.ts"
import { openLive } from "./sidecar.ts"

const all = [...forms, ...formsByChance(60, 12)]
const hostile = all.join("")

/** A run with this text in every place that an agent can fill. */
function run(): readonly string[] {
  const nasty = hostile
  const who = { invokeid: `planner${nasty}`, "session-id": `s1${nasty}`, model: `m${nasty}` }
  const deltas = [...all.join("|")].map((_, i, chars) => chars.slice(i * 3, i * 3 + 3).join("")).filter(Boolean)
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
    `{"kind":"\x1b[${SENTINEL}m\x9b${SENTINEL}m`,
    prompt(`ask${nasty}#1`, "select", {
      prompt: `Which?\n${nasty}`,
      options: [{ label: `first${nasty}`, value: nasty }],
    }),
  ]
}

/** Visits every place that shows such text, and returns what reached the terminal. */
async function tour(): Promise<{ raw: string; answer: unknown }> {
  await using sidecar = await openLive(run(), {
    // Our own bell is off, so any bell would be the agent's.
    env: { OPENTUI_CHART: `chart${hostile.replaceAll("\0", "")}`, OPENTUI_BELL: "0" },
    agent: { debug: true },
  })
  const back = async () => {
    await sidecar
      .press("\x1b")
      .waitFor(
        rows =>
          /─ SESSIONS [\s\S]*─ LOG /.test(rows.join("\n")) && !/(DATA ─|─.(STATUS|QUESTION))/.test(rows.join("\n")),
      )
  }
  // The log tells the question before its box opens.
  await sidecar.waitFor(/─ .* asks[\s\S]*Which\?/)
  const { value: answer } = await sidecar.answers("1", { kind: "answer" })
  await sidecar.waitFor("Run finished")
  await sidecar.press(":status\r").waitFor("─ STATUS")
  await back()
  await sidecar.press("\r\r").waitFor(rows => !rows.some(row => row.includes("─ LOG")))
  sidecar.press("g")
  await back()
  // Each row of the log, opened with all its data.
  sidecar.press("\t")
  for (let row = 0; row < 12; row += 1) {
    await sidecar.press("\r").waitFor(/(DATA ─|─.QUESTION)/)
    await back()
    sidecar.press("k")
  }
  expect(await sidecar.press("\x03").exited).toBe(0)
  return { raw: sidecar.raw, answer }
}

test("case 12: an agent's text never controls the terminal, wherever it is shown, and ids and values are sent back unchanged", async () => {
  const { raw, answer } = await tour()
  const { sequences, text } = takeApart(raw)
  expect(sequences.filter(one => !isOurs(one))).toEqual([])
  // A title holds the chart's name, as marks; no other sequence holds anything of the agent's.
  const titles = carried(sequences)
  expect(sequences.filter(one => one.includes(SENTINEL) && !one.startsWith("\x1b]2;"))).toEqual([])
  for (const shown of [text, ...titles]) expect(STEERING.exec(shown)?.[0].codePointAt(0)).toBeUndefined()
  expect(text).toContain(`${SENTINEL}␛${SENTINEL}`)
  expect(answer).toBe(hostile)
})
