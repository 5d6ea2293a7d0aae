// Tests that the files of sessions, and what their processes tell, are seen as they come, grow and go.
import { expect, spyOn, test } from "bun:test"
import { appendFile, rm, utimes } from "node:fs/promises"
import { basename, join } from "node:path"
import { claudeStore } from "../../src/stores/claude-store.ts"
import { codexStore } from "../../src/stores/codex-store.ts"
import { lockedFiles } from "../../src/stores/process-state.ts"
import { StoreWatch } from "../../src/stores/store-watch.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"

test("each change of a session, of what it started or of its process is told at once, until the watch is stopped", async () => {
  const home = fileScratch()
  const kimi = ".kimi-code/sessions/wd_p/session_a/agents"
  const at = (place: string) => join(home, place.startsWith(".") ? place : `.claude/projects/-p/${place}`)
  for (const [age, place] of [
    "first.jsonl",
    "second.jsonl",
    `${kimi}/main/wire.jsonl`,
    ".claude/sessions/-",
  ].entries()) {
    await Bun.write(at(place), "{}\n")
    await utimes(at(place), 1000 + age, 1000 + age)
  }
  // The looks that come by themselves are made here.
  const looks: (() => void)[] = []
  const { setTimeout: later } = globalThis
  using _ = spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) =>
    later(ms < 2000 ? run : () => undefined, ms < 2000 || !looks.push(run) ? ms : 0)) as typeof setTimeout)
  let [count, others, late] = [0, 0, 0]
  new StoreWatch({}, home, () => late++).stop()
  const other = new StoreWatch({}, home, () => others++)
  opened(() => other.stop())
  await until(() => looks.length === 1)
  const watch = new StoreWatch({}, home, () => count++)
  const seen = (one = watch) => one.files.map(({ path, size }) => `${basename(path, ".jsonl")} ${size}`).join(", ")
  const state = () => watch.running.get(claudeStore)?.get("first")
  await until(() => looks.length === 2)
  expect([seen(), seen(other)]).toEqual(["wire 3, second 3, first 3", "wire 3, second 3, first 3"])
  await appendFile(at("first.jsonl"), "{}\n")
  await until(() => seen() === "first 6, wire 3, second 3")
  const child = Bun.spawn(["sleep", "600"], { stdio: ["ignore", "ignore", "ignore"] })
  opened(() => child.kill("SIGKILL"))
  const stat = await Bun.file(`/proc/${child.pid}/stat`).text()
  const told = { pid: child.pid, procStart: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19], sessionId: "first" }
  // What a subagent writes is its session's; a file of another kind is nobody's.
  for (const [place, status] of [
    ["second/subagents/agent-a.jsonl", undefined],
    [`${kimi}/agent-0/wire.jsonl`, undefined],
    [`.claude/sessions/${child.pid}.json`, "waiting"],
    [`.claude/sessions/${child.pid}.json`, "idle"],
  ] as const) {
    const before = count
    await Bun.write(at("second/notes.txt"), "x")
    await Bun.write(at(place), JSON.stringify({ ...told, status }))
    if (status !== undefined) await utimes(at("second.jsonl"), 1001, 1001)
    await until(() => count > before && state() === status)
  }
  expect(seen()).toBe("first 6, wire 3, second 3")
  await rm(at("second.jsonl"))
  await until(() => seen() === "first 6, wire 3" && seen(other) === seen())
  // A process that has gone writes nothing.
  const look = async () => {
    const [before, due] = [count, looks.length]
    looks.at(-1)?.()
    await until(() => looks.length > due)
    return [count - before, state()]
  }
  const idle = await look()
  child.kill("SIGKILL")
  await child.exited
  expect([idle, await look()]).toEqual([
    [0, "idle"],
    [1, "killed"],
  ])
  // Nothing tells of a lock that is let go of.
  const lock = at(".codex/thread-writer-locks/c.lock")
  await Bun.write(lock, "")
  const holder = Bun.spawn(["flock", "--no-fork", lock, "sleep", "600"], { stdio: ["ignore", "ignore", "ignore"] })
  opened(() => holder.kill("SIGKILL"))
  await until(async () => (await lockedFiles([{ path: lock }])).length === 1)
  await look()
  const held = watch.running.get(codexStore)?.size
  holder.kill("SIGKILL")
  await holder.exited
  expect([held, await look(), watch.running.get(codexStore)?.size]).toEqual([1, [1, "killed"], 0])
  watch.stop()
  const before = count
  await Bun.write(at("third.jsonl"), "")
  await until(() => seen(other) === "third 0, first 6, wire 3")
  expect([seen(), count]).toEqual(["first 6, wire 3", before])
  // A folder that goes and comes again is watched again from the next look on.
  await rm(at(".claude/projects"), { recursive: true })
  await until(() => seen(other) === "wire 3")
  await Bun.write(at("first.jsonl"), "{}\n{}\n")
  looks[0]?.()
  await until(() => seen(other) === "first 6, wire 3")
  await appendFile(at("first.jsonl"), "{}\n")
  await until(() => seen(other) === "first 9, wire 3")
  expect([late, others > count]).toEqual([0, true])
})
