// Tests reading in a terminal: many rows, replays of every kind of file, and gaps filled from disk.
import { describe, expect, test } from "bun:test"
import { appendFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { event, play } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"
import { openSidecar } from "./sidecar.ts"

const scratch = fileScratch()

const tick = (n: number) => event("chart/tick", { n })

const at = (seq: number, ts: number) => JSON.stringify({ event: "chart/tick", seq, ts, data: { n: seq } })

/** Starts a replay of these lines as an agent does. */
async function openReplay(name: string, text: string, env: Record<string, string> = {}) {
  const path = join(scratch, name)
  await Bun.write(path, text)
  return { path, sidecar: await openSidecar({ env: { OPENTUI_REPLAY: path, ...env } }) }
}

describe("a replay", () => {
  test("case 15: reports an incomplete last row and shows the rest, and shows it once complete", async () => {
    const whole = [tick(1), tick(2)].join("\n")
    const { path, sidecar } = await openReplay("torn.jsonl", `${whole}\n${tick(3).slice(0, -9)}`)
    await using _ = sidecar
    const torn = (await sidecar.waitFor("last line incomplete")).join("\n")
    expect(torn).toContain('{"n":2}')
    expect(torn).not.toMatch(/not understood|"n":3/)
    await appendFile(path, `${tick(3).slice(-9)}\n${tick(4)}\n`)
    const rows = await sidecar.waitFor('{"n":4}')
    expect(rows.join("\n")).toContain('{"n":3}')
    await sidecar.waitFor("end of recording")
  })

  test("case 21: starts again if its file shrinks, and says so", async () => {
    const { path, sidecar } = await openReplay("shrunk.jsonl", `${[1, 2, 3].map(tick).join("\n")}\n`)
    await using _ = sidecar
    await sidecar.waitFor('{"n":3}')
    await Bun.write(path, `${tick(7)}\n`)
    const rows = (await sidecar.waitFor("The file was changed before its end, and read again")).join("\n")
    await sidecar.waitFor('{"n":7}')
    expect(rows).not.toContain('{"n":3}')
  })

  for (const timing of ["paced", "wallclock"]) {
    test(`reads rows without a kind from a session directory, ${timing}`, async () => {
      const rows = [1, 2, 3].map(n =>
        JSON.stringify({ event: "chart/tick", seq: n, ts: n * 100, data: { n }, "transcript/visit": 0 }),
      )
      const path = join(scratch, timing)
      await Bun.write(join(path, "transcript.jsonl"), `${rows.join("\n")}\n`)
      await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: path, OPENTUI_REPLAY_TIMING: timing } })
      await sidecar.waitFor('{"n":3}')
      const ended = (await sidecar.waitFor("end of recording")).join("\n")
      for (const n of [1, 2, 3]) expect(ended).toContain(`{"n":${n}}`)
      expect(ended).not.toContain("not understood")
    })
  }

  test("starts again at its end if it loops", async () => {
    const env = { OPENTUI_REPLAY_LOOP: "1", OPENTUI_REPLAY_TIMING: "wallclock" }
    const { sidecar } = await openReplay("loop.jsonl", `${at(0, 1000)}\n${at(1, 2000)}\n`, env)
    await using _ = sidecar
    await sidecar.waitFor(/ playing 1× loop .* 2\/2 /)
    const again = await sidecar.waitFor(/ playing 1× loop .* 1\/2 /)
    expect(again.join("\n")).toMatch(/▌\S+ +agent +chart\/tick +\{"n":0\}/)
  })
})

describe("a gap that is filled from disk", () => {
  const ids = { invokeid: "poet", "session-id": "s1" }
  const lines = [
    event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
    event("llm/start", { ...ids, model: "m" }),
    ...Array.from({ length: 300 }, (_, i) =>
      event("llm/delta", { type: "text-delta", text: `word ${i} stays.\n`, ...ids }),
    ),
    ...Array.from({ length: 200 }, (_, i) => event("test/note", { n: i })),
  ]

  test("cases 9 and 13: leaves the row under the cursor in place, and the whole reply can be read", async () => {
    const directory = fileScratch()
    const transcript = join(directory, "transcript.jsonl")
    const agent = await play(lines, { hold: false, sessionDir: directory, waitForClient: false })
    await agent.finished
    await rename(transcript, `${transcript}.hidden`)
    const env = { OPENTUI_WS_URL: agent.url, ESCAPEMENT_SESSION_DIR: directory }
    await using sidecar = await openSidecar({ cols: 80, rows: 24, env })
    await sidecar.waitFor("─ SESSIONS")
    await sidecar.press("\t\t").waitFor(/LOG {2}201 .*following/)
    for (let page = 0; page < 5; page++) sidecar.press("\x15")
    const shown = (rows: readonly string[]) =>
      rows.filter(row => row.includes('"n"')).map(row => /\{.*\}/.exec(row)?.[0])
    const before = await sidecar.waitFor(/LOG {2}201 .*End follows/)
    expect(shown(before).length).toBeGreaterThan(2)
    await rename(`${transcript}.hidden`, transcript)
    agent.disconnectAll()
    const after = await sidecar.waitFor(/LOG {2}205 /)
    // With its start the run is known to be one session: the log is lower then, and begins with the same row.
    expect(shown(after).length).toBeGreaterThan(2)
    expect(shown(before).slice(0, shown(after).length)).toEqual(shown(after))
    await sidecar.press("g").waitFor("rows from disk")
    sidecar.press("\x1b[Z")
    await sidecar.press("mg").waitFor("word 0 stays.")
    await sidecar.press("G").waitFor("word 299 stays.")
  })
})
