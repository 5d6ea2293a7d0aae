// Tests that a live run is recorded from its first frame, by an option or by a key.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { sidecar as run } from "../cli/ran.ts"
import { fixture } from "../fixtures.ts"
import { scratch } from "../scratch.ts"
import { openLive, spawned } from "./sidecar.ts"

test("--record records a run from its first frame, the header says so, and R stops and resumes it", async () => {
  using home = scratch()
  const path = join(home.path, "run.jsonl")

  await using sidecar = await openLive(fixture("demo"), { cmd: [...spawned, "--record", path], agent: { speed: 1 } })
  const shown = await sidecar.waitFor(/planner +asked/)
  expect(shown[0]).toContain("● rec")
  sidecar.press("R")
  await sidecar.waitFor(rows => !(rows[0] ?? "").includes("rec") && rows.join("\n").includes(`Saved ${path}`))
  const size = statSync(path).size
  await sidecar.press("R").waitFor(rows => (rows[0] ?? "").includes("● rec"))
  await sidecar.waitFor(() => statSync(path).size > size + 10_000)
  sidecar.kill("SIGKILL")
  await sidecar.exited
  const { code, out } = await run(["fold", path], { cwd: home.path })
  expect([code, JSON.parse(out).frames.duplicate, JSON.parse(out).run.epochs]).toEqual([0, 0, 1])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test("R records below the state directory, from the run's first frame", async () => {
  await using live = await openLive(fixture("parallel-60"))
  await live.waitFor("finished")
  await live.press("R").waitFor("Recording to")
  const directory = join(live.home, "state/opentui-sidecar/recordings")
  const [name = ""] = readdirSync(directory)
  expect(readFileSync(join(directory, name), "utf8")).toContain("runner/started")
})
