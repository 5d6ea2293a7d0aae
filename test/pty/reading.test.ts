// Tests reading in a terminal: many rows, replays of every kind of file, and gaps filled from disk.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { appendFile, mkdtemp, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { delta, event } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar } from "./sidecar.ts"

let scratch = ""
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "sidecar-reading-"))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

const tick = (n: number) => event("chart/tick", { n })

const at = (seq: number, ts: number) => JSON.stringify({ event: "chart/tick", seq, ts, data: { n: seq } })

/** Starts a replay of these lines as an agent does. */
async function openReplay(name: string, text: string, env: Record<string, string> = {}) {
  const path = join(scratch, name)
  await Bun.write(path, text)
  return { path, sidecar: await openSidecar({ env: { OPENTUI_REPLAY: path, ...env } }) }
}

describe("a live run", () => {
  test("case 8: has each of 60 live rows within reach of the keys on 24 lines", async () => {
    await using sidecar = await openLive(fixture("parallel-60"), { cols: 80, rows: 24 })
    await sidecar.waitFor("Run finished")
    const selected = (rows: readonly string[]) => rows.find(row => row.startsWith("│ ▌")) ?? ""
    // All are done, so each group is one row; without groups, each of the sixty has one, the newest first.
    sidecar.press("g")
    await sidecar.waitFor(rows => /▸ north-\S* 10\/10 /.test(selected(rows)))
    sidecar.press("Sj\rSj\rg")
    await sidecar.waitFor("─ 1 of 60 ")
    // The rows around the one under the bar scroll with it.
    const seen: string[] = []
    while (seen.length < 60) {
      const rows = await sidecar.waitFor(rows => !["", seen.at(-1)].includes(selected(rows)))
      seen.push(selected(rows))
      sidecar.press("j")
    }
    expect(seen.filter(row => row.includes("ferry-watch"))).toHaveLength(10)
    expect(seen.at(-1)).toMatch(/▌✓ north-watch 1 /)
    sidecar.press("\r\r")
    const isAlone = (rows: readonly string[]) => !rows.some(row => row.includes("SESSIONS"))
    await sidecar.waitFor(rows => isAlone(rows) && /Buoy 1 off the north/.test(rows.join("\n")))
  })

  test("case 9: keeps the row under the cursor in place while 500 more arrive", async () => {
    await using sidecar = await openLive(
      Array.from({ length: 100 }, (_, n) => tick(n)),
      { agent: { debug: true } },
    )
    await sidecar.waitFor("Run finished")
    sidecar.press("\t\t")
    sidecar.press("k".repeat(40))
    const log = (rows: readonly string[]) => rows.slice(rows.findIndex(row => row.includes("LOG")) + 1, -3)
    await sidecar.waitFor(rows => log(rows).some(row => row.startsWith("│ ▌") && row.includes('{"n":59}')))
    const before = log(await sidecar.screen())
    for (let n = 100; n < 600; n += 1) sidecar.agent.emit(tick(n))
    const rows = await sidecar.waitFor("500 new ↓ End")
    expect(log(rows)).toEqual(before)
    sidecar.press("\x1b[F")
    await sidecar.waitFor(rows => log(rows).some(row => row.includes('{"n":599}')))
    await sidecar.waitFor("following")
  })

  test("case 17: shows a progress frame on its row, not as an error", async () => {
    await using sidecar = await openLive(
      [
        event("llm/start", { invokeid: "writer", "session-id": "s1", model: "m" }),
        JSON.stringify({ kind: "progress", phase: "start", invokeid: "writer", pct: 0.5, label: "drafting" }),
        JSON.stringify({ kind: "progress", phase: "update", invokeid: "nobody", pct: 70 }),
      ],
      { agent: { debug: true } },
    )
    const rows = (await sidecar.waitFor("50% drafting")).join("\n")
    expect(rows).toMatch(/writer .*50% drafting/)
    expect(rows).not.toMatch(/not understood|error|failed|nobody/)
  })

  test("case 18: shows what comes after run-finished", async () => {
    await using sidecar = await openLive(
      [
        event("llm/start", { invokeid: "writer", "session-id": "s1", model: "m" }),
        JSON.stringify({ kind: "control", op: "run-finished", "final-config": "[:run :done]" }),
        ...Array.from({ length: 19 }, (_, n) => delta(`word${n} `)),
        event("llm/response", { invokeid: "writer", "session-id": "s1", model: "m", usage: { "output-tokens": 19 } }),
      ],
      { agent: { faults: [] } },
    )
    const rows = (await sidecar.waitFor(/writer +said +/)).join("\n")
    expect(rows).toContain("✓ Run finished — press Ctrl-C to quit")
    expect(rows).toMatch(/✓ writer +word0 .* 19 /)
    expect(rows.replaceAll(/[│\s]+/g, " ")).toContain("word0 word1")
    expect(rows).toContain("word18")
  })

  test("case 20: shows no gap for frames 5, 4, 6 within 50 ms", async () => {
    // The first five come late, behind a frame that bypasses their queue; seq numbers then come out of order.
    const numbered = (seq: number) =>
      JSON.stringify({ kind: "event", seq, ts: seq, event: "chart/tick", data: { n: seq } })
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request, self) => (self.upgrade(request) ? undefined : new Response("a WebSocket only", { status: 426 })),
      websocket: {
        open(socket) {
          for (const seq of [1, 2, 3, 5, 4, 6]) socket.send(numbered(seq))
        },
        message() {},
      },
    })
    try {
      await using sidecar = await openSidecar({ env: { OPENTUI_WS_PORT: String(server.port) } })
      // The server speaks at /ws like any other path.
      const rows = (await sidecar.waitFor('{"n":6}')).join("\n")
      expect(rows).not.toContain("missing")
      const order = [...rows.matchAll(/"n":(\d)/g)].map(([, n]) => Number(n))
      expect(order).toEqual([1, 2, 3, 4, 5, 6])
    } finally {
      await server.stop(true)
    }
  })
})

describe("a replay", () => {
  test("cases 10 and 22: shows the recording's own time, and the active states without a phase frame", async () => {
    const at = (ts: number, name: string, data: object) => event(name, data, ts)
    const { sidecar } = await openReplay(
      "clock.jsonl",
      [
        at(1_000_000, "runner/started", { "session-id": "s", "chart-id": "c" }),
        at(1_000_500, "runner/start-config", { config: ["run", "planning"] }),
        at(1_002_000, "llm/start", { invokeid: "poet", "session-id": "s1" }),
        at(3_661_000 + 1_000_000, "runner/event-processed", {
          "event-name": "planned",
          "config-before": ["run", "planning"],
          "config-after": ["run", "writing"],
          entered: ["writing"],
          exited: ["planning"],
        }),
      ].join("\n"),
    )
    await using _ = sidecar
    const rows = await sidecar.waitFor("end of recording")
    expect(rows[0]).toContain("run › writing")
    expect(rows[0]).toContain("1:01:01")
    expect(rows.join("\n")).toContain("+1:01:01.000")
  })

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
    const directory = await mkdtemp(join(tmpdir(), "filled-"))
    const transcript = join(directory, "transcript.jsonl")
    const agent = await startAgent({ recording: lines, speed: 0, sessionDir: directory, waitForClient: false })
    try {
      await agent.finished
      await rename(transcript, `${transcript}.hidden`)
      const env = { OPENTUI_WS_URL: agent.url, ESCAPEMENT_SESSION_DIR: directory }
      await using sidecar = await openSidecar({ cols: 80, rows: 24, env })
      await sidecar.waitFor("─ SESSIONS")
      sidecar.press("\t\t")
      await sidecar.waitFor(/LOG {2}201 .*following/)
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
      sidecar.press("g")
      await sidecar.waitFor("rows from disk")
      sidecar.press("\x1b[Z")
      sidecar.press("mg")
      await sidecar.waitFor("word 0 stays.")
      sidecar.press("G")
      await sidecar.waitFor("word 299 stays.")
    } finally {
      await agent.stop()
      await rm(directory, { recursive: true, force: true })
    }
  })
})
