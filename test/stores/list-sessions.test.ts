// Tests the list of stored sessions on files of the real CLIs, laid out as each CLI does. Sums were taken from the
// files by another program.
import { beforeAll, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { cp, rm, symlink, truncate, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { claudeStore } from "../../src/stores/claude-store.ts"
import { codexStore } from "../../src/stores/codex-store.ts"
import { readEnds } from "../../src/stores/file-ends.ts"
import { listSessions, rootsOf, sessionFile, sessionFiles, stateNow } from "../../src/stores/list-sessions.ts"
import { isRunning, lockedFiles, lockHolder, terminalOf } from "../../src/stores/process-state.ts"
import { noFacts, shownPath, type ToldState } from "../../src/stores/stored-session.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"

const FILES = join(root, "fixtures/agents/sessions")
const CLAUDE = "16e11edf-9837-4ba1-899f-d5c89c299b04"
const CODEX = "01a20d6f-93fd-7892-8311-6cb2261fec96"
const PLACES: readonly (readonly [fixture: string, place: string])[] = await Bun.file(
  join(root, "fixtures/stores/files.json"),
).json()

const home = fileScratch()
const at = (place: string) => join(home, place)
beforeAll(async () => {
  for (const [index, [fixture, place]] of PLACES.entries()) {
    await cp(join(FILES, fixture), at(place), { recursive: true })
    await utimes(at(place), 1000 - index, 1000 - index)
  }
  await Bun.write(at(".gemini/tmp/p/.project_root"), "/home/ada/shop\n")
  await symlink(at(PLACES[0]?.[1] ?? ""), at(".claude/projects/-p/0000000b-linked.jsonl"))
  const kimi = at(".kimi-code/sessions/wd_p/session_f6eb07aa-c836/state.json")
  await Bun.write(kimi, '{"cwd":"/home/ada/tea","title":"T"}')
})

const listed = (env = {}) => listSessions(env, { home })
const stateOf = async (cli: string) => (await listed()).find(session => session.cli === cli)?.state

test("lists each CLI's sessions, latest first, and their stores in one order", async () => {
  expect((await listed()).map(({ cli, activeAt }) => `${cli} ${activeAt}`).join(", ")).toMatchSnapshot()
  const roots = rootsOf((await sessionFiles({}, home)).toReversed(), {}, home)
  expect(roots).toEqual([".claude", ".codex", ".gemini", ".pi/agent", ".kimi-code"].map(at))
  const since = async (since: number) => (await listSessions({}, { home, since })).length
  expect(await Promise.all([997_000, 997_001, 1_000_001].map(since))).toEqual([3, 2, 0])
})

test("a session that another started is counted with it, and is one of its own only where that is not there", async () => {
  const other = fileScratch()
  const [parent, child] = ["0000000a-aaaa-4bbb-8ccc-dddddddddd01", "0000000a-bbbb-4bbb-8ccc-dddddddddd02"] as const
  const ids = [parent, child]
  const paths = ids.map(id => join(other, `.codex/sessions/2026/11/24/rollout-x-${id}.jsonl`))
  for (const [nth, path] of paths.entries()) {
    const payload = { id: ids[nth], ...(nth > 0 && { parent_thread_id: parent }) }
    await Bun.write(path, `${JSON.stringify({ type: "session_meta", payload })}\n`)
    await utimes(path, 1000 + nth, 1000 + nth)
  }
  const told = async () => (await listSessions({}, { home: other })).map(({ id, subagents }) => [id, subagents])
  const found = async () => {
    const words = ["latest", "0000000a", "0000000a-b", "rollout"].map(word => sessionFile(word, {}, other))
    return (await Promise.all(words)).map(path => (path === null ? null : paths.indexOf(path)))
  }
  expect([await told(), await found()]).toEqual([[[parent, 1]], [0, null, 1, null]])
  await rm(paths[0] ?? "")
  expect([await told(), await found()]).toEqual([[[child, 0]], [null, 1, 1, null]])
})

test("leaves out sums that it has not read all of, and reads no more than both ends of a long file", async () => {
  const place = at(".pi/agent/sessions/--q--/long_01a20d66-aaaa.jsonl")
  const text = await Bun.file(at(PLACES[4]?.[1] ?? "")).text()
  await Bun.write(place, text.replaceAll("01a20d66-9711-7092-9d1e-3084bd473261", "01a20d66-aaaa"))
  await truncate(place, 3 * 1024 ** 3)
  const found = (await listed()).find(({ id }) => id === "01a20d66-aaaa")
  expect(found).toMatchObject({ title: "What files are here?", usage: { input: null, costUsd: null } })
  await rm(dirname(place), { recursive: true })
  const other = fileScratch()
  for (const [fixture, path] of PLACES.slice(0, 2))
    await cp(join(FILES, fixture), join(other, path), { recursive: true })
  await Bun.write(join(other, `.claude/projects/-p/${CLAUDE}/subagents/agent-long.jsonl`), "x".repeat(200_000))
  expect((await listSessions({}, { home: other }))[0]).toMatchObject({ subagents: 3, usage: { input: null } })
})

test("tells of a compressed session of up to 128 KB all that it tells of a plain one", async () => {
  const plain = at(PLACES[2]?.[1] ?? "")
  const packed = join(fileScratch(), "rollout.jsonl.zst")
  const noise = JSON.stringify({ noise: randomBytes(80_000).toString("base64") })
  await Bun.write(packed, Bun.zstdCompressSync(`${noise}\n${await Bun.file(plain).text()}`))
  const read = (path: string) => codexStore.read({ path, inode: 1, size: Bun.file(path).size, changedAt: 1 })
  expect(await read(packed)).toEqual(await read(plain))
  // Of a longer one only the beginning can be unpacked, which tells nothing of its end.
  const more = JSON.stringify({ noise: randomBytes(160_000).toString("base64") })
  await Bun.write(packed, Bun.zstdCompressSync(`${await Bun.file(plain).text()}${more}\n`))
  const { id, directory, branch, title, model, startedAt } = await read(plain)
  expect(await read(packed)).toEqual({ ...noFacts, id, directory, branch, title, model, startedAt })
})

test("of a file that has gone, or a pipe in its place, nothing is read, and nothing is taken for the end", async () => {
  const pipe = join(fileScratch(), "pipe.jsonl")
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0)
  const [most, more] = [128 * 1024, 128 * 1024 + 1].map(async size => {
    await Bun.write(`${pipe}.${size}`, "x".repeat(size))
    return (await readEnds({ path: `${pipe}.${size}`, inode: 1, size, changedAt: 1 }, /x/)).isWhole
  })
  expect([await most, await more]).toEqual([true, false])
  for (const path of [pipe, `${pipe}.none`])
    expect(await readEnds({ path, inode: 1, size: 9, changedAt: 1 }, /x/)).toMatchObject({
      isWhole: false,
      hasEnd: false,
    })
})

test("tells the last words of a session though a line behind them fills the end of its file", async () => {
  const place = at(".claude/projects/-q/0000000a-aaaa-4bbb-8ccc-dddddddddddd.jsonl")
  const attachment = (length: number) => JSON.stringify({ type: "attachment", text: "x".repeat(length) })
  const reply = { type: "assistant", message: { model: "m", content: [{ type: "text", text: "It burns." }] } }
  const cost = '{"type":"cost-state","totalCostUSD":0.5}'
  await Bun.write(place, `${attachment(150_000)}\n${JSON.stringify(reply)}\n${attachment(65_500)}\n${cost}\n`)
  expect((await listed())[0]).toMatchObject({ model: "m", last: "It burns.", usage: { costUsd: 0.5 } })
  await rm(dirname(place), { recursive: true })
})

test("sessions are sorted without opening a file, and each is read once, 64 KB of either end", async () => {
  const [other, many] = [fileScratch(), 100]
  for (let i = 0; i < many; i++) {
    const place = join(other, `.claude/projects/-p/${CLAUDE.replace("16e1", String(1000 + i))}.jsonl`)
    await cp(join(FILES, "claude-2.1.197.jsonl"), place)
    await truncate(place, 1024 * 1024)
  }
  const bytesRead = async () => Number(/rchar: (\d+)/.exec(await Bun.file("/proc/self/io").text())?.[1])
  const before = await bytesRead()
  expect(await sessionFiles({}, other)).toHaveLength(many)
  const sorted = await bytesRead()
  expect(sorted - before).toBeLessThan(many * 1024)
  await listSessions({}, { home: other })
  expect((await bytesRead()) - sorted).toBeLessThan(many * (128 + 2) * 1024)
})

test("honours what each CLI reads of the environment", async () => {
  const elsewhere = { CLAUDE_CONFIG_DIR: "/none", CODEX_HOME: at(".codex") }
  expect((await listed(elsewhere)).map(({ cli }) => cli)).toEqual(["codex", "gemini", "pi", "kimi"])
  const names = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "PI_CODING_AGENT_DIR", "KIMI_CODE_HOME"]
  expect(await listed(Object.fromEntries(names.map(name => [name, ""])))).toEqual(await listed())
  for (const name of names) expect((await listed({ [name]: "/none" })).length).toBe(4)
})

describe("a state is told, not guessed", () => {
  test("by its file, unless its processes say more", () => {
    const rows = (["working", "quiet", "ended", "failed"] as const).map(state =>
      ["untold", "none", "idle", "waiting"].map(word => {
        const running = word === "untold" ? undefined : new Map(word === "none" ? [] : [["s", word as ToldState]])
        return stateNow({ ...noFacts, id: "s", cli: "", activeAt: 0, path: "", state }, running)
      }),
    )
    expect(rows.join(" | ")).toBe(
      "working,killed,working,working | quiet,quiet,idle,waiting | ended,ended,idle,waiting | failed,failed,idle,waiting",
    )
  })

  const status = (pid: number, started: string, word: string) =>
    Bun.write(
      at(`.claude/sessions/${pid}.json`),
      JSON.stringify({ pid, procStart: started, sessionId: CLAUDE, status: word }),
    )
  const startOf = async (pid: number) => {
    const text = await Bun.file(`/proc/${pid}/stat`).text()
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  }

  test("Claude's by the status of a process that runs, and killed once that is gone", async () => {
    expect(await stateOf("claude")).toBe("ended")
    // A name of a program may hold what ends it in the list of processes.
    await cp("/bin/sleep", at("s) 1"))
    const child = Bun.spawn([at("s) 1"), "600"], { stdio: ["ignore", "ignore", "ignore"] })
    opened(() => child.kill("SIGKILL"))
    const started = await startOf(child.pid)
    const states: unknown[] = []
    // What processes that are gone told of the session says nothing of one that runs, whichever is read first.
    const dead = Array.from({ length: 40 }, (_, i) => 99_900 + i)
    for (const pid of dead.slice(20)) await status(pid, "0", "busy")
    // A file of another name is none of a process.
    const other = { pid: child.pid, procStart: started, sessionId: CODEX, status: "busy" }
    await Bun.write(at(`.claude/sessions/${child.pid}.old.json`), JSON.stringify(other))
    for (const word of ["busy", "waiting", "idle", "odd"]) {
      await status(child.pid, started, word)
      states.push(await stateOf("claude"))
    }
    expect(states).toEqual(["working", "waiting", "idle", "quiet"])
    await status(child.pid, started, "idle")
    for (const pid of dead) await status(pid, "0", "busy")
    expect(await stateOf("claude")).toBe("idle")
    expect(await claudeStore.process?.(at(".claude"), CLAUDE)).toBe(child.pid)
    expect(await claudeStore.process?.(at(".claude"), CODEX)).toBeNull()
    for (const pid of dead) await rm(at(`.claude/sessions/${pid}.json`))
    // The number of a process may be another's by now.
    await status(child.pid, `${Number(started) - 1}`, "busy")
    expect(await stateOf("claude")).toBe("killed")
    await status(child.pid, started, "busy")
    child.kill("SIGKILL")
    await child.exited
    expect(await stateOf("claude")).toBe("killed")
    expect(await claudeStore.process?.(at(".claude"), CLAUDE)).toBeNull()
    await Bun.write(at(`.claude/sessions/${child.pid}.json`), '{"pid":')
    // One that has ended is listed until its parent asks, which this one never does.
    const waits = "sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done'"
    const script = ["sh", "-c", `${waits} & echo $!; exec sleep 600`]
    const parent = Bun.spawn(script, { stdio: ["ignore", "pipe", "ignore"] })
    opened(() => parent.kill("SIGKILL"))
    const { value } = await parent.stdout.getReader().read()
    const ended = Number(Buffer.from(value ?? []))
    await until(async () => (await Bun.file(`/proc/${ended}/stat`).text()).includes(") Z "))
    expect(await isRunning(ended, await startOf(ended))).toBe(false)
    expect(await stateOf("claude")).toBe("ended")
  })

  test("a process is found in the terminal that it runs in, or in none", async () => {
    const words = "echo $$ `tty`; exec sleep 600"
    const [inside, outside] = [
      ["script", "-qec", words, "/dev/null"],
      ["setsid", "sleep", "9"],
    ].map(command => {
      const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "ignore"] })
      opened(() => child.kill("SIGKILL"))
      return child
    })
    const { value } = (await inside?.stdout.getReader().read()) ?? {}
    const [pid = "", terminal] = Buffer.from(value ?? [])
      .toString()
      .trim()
      .split(" ")
    expect(await terminalOf(Number(pid))).toBe(terminal ?? "")
    await until(async () => (await terminalOf(outside?.pid ?? 0)) === null)
  })

  test("Codex' by its lock, which nobody here takes", async () => {
    expect(await stateOf("codex")).toBe("failed")
    const lock = at(`.codex/thread-writer-locks/${CODEX}.lock`)
    await Bun.write(lock, "")
    expect(await stateOf("codex")).toBe("failed")
    const holder = Bun.spawn(["flock", "--no-fork", lock, "sleep", "600"], { stdio: ["ignore", "ignore", "ignore"] })
    opened(() => holder.kill("SIGKILL"))
    await until(async () => (await lockedFiles([{ path: lock }])).length === 1)
    expect(await stateOf("codex")).toBe("idle")
    const waiter = Bun.spawn(["flock", "--no-fork", lock, "true"], { stdio: ["ignore", "ignore", "ignore"] })
    opened(() => waiter.kill("SIGKILL"))
    const waits = new RegExp(`->.* \\w+:\\w+:${statSync(lock).ino} `)
    await until(async () => waits.test(await Bun.file("/proc/locks").text()))
    expect([await lockHolder(lock), await lockHolder(`${lock}.none`)]).toEqual([holder.pid, null])
  })
})

test("a directory is shown with ~ for the home, on one line", () => {
  const paths = ["/home/ada", "/home/ada/tea", "/home/adam", "/home/ada/a\nb"]
  expect(paths.map(path => shownPath(path, "/home/ada"))).toEqual(["~", "~/tea", "/home/adam", "~/a␊b"])
})

test("finds a session by its id, by how that begins, and the latest; nothing for other words", async () => {
  const path = (cli: string) => at(PLACES.find(([fixture]) => fixture.startsWith(`${cli}-`))?.[1] ?? "")
  expect(await sessionFile("latest", {}, home)).toBe(path("claude"))
  expect(await sessionFile(CODEX, {}, home)).toBe(path("codex"))
  // A rewind goes on in another file.
  const earlier = at(`.codex/sessions/2026/11/20/rollout-x-${CODEX}.jsonl`)
  await cp(path("codex"), earlier)
  await utimes(earlier, 1, 1)
  expect(await sessionFile(CODEX, {}, home)).toBe(path("codex"))
  await rm(dirname(earlier), { recursive: true })
  expect(await sessionFile(CLAUDE.slice(0, 8), {}, home)).toBe(path("claude"))
  expect(await sessionFile("6d2b0149-e520-42b1-adc6-852c0c72b1a4", {}, home)).toBe(path("gemini"))
  expect(await sessionFile("session_f6eb07aa-c836", {}, home)).toBe(path("kimi"))
  for (const word of ["markdown", "session", "2026", "99999999", "../../etc"])
    expect(await sessionFile(word, {}, home)).toBeNull()
})
