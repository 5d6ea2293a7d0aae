// Tests the hook of Claude Code, also as the process that the CLI starts, with screens that listen, and without one.
import { expect, spyOn, test } from "bun:test"
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import type { GuestEvent } from "../../src/guest/common/output.ts"
import { turn } from "../../src/guest/pieces.ts"
import { hookDecision, hookSettings } from "../../src/hook/hook-client.ts"
import { HookDesk, hookDirectory } from "../../src/hook/hook-desk.ts"
import { HookTalk } from "../../src/hook/hook-talk.ts"
import { root } from "../fixtures.ts"
import { cleanEnvironment } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"

/** As 2.1.331 gives it to the hook. */
const REQUEST = await Bun.file(join(root, "fixtures/cases/hook/request.json")).json()

const stateIn = (home: string) => join(home, "state/opentui-sidecar")
const answer = (id: number, value: string) => ({ type: "answer", promptId: `claude#${id}`, value }) as const

/** Starts the hook with that request. */
function start(home: string, request: unknown) {
  const child = Bun.spawn([join(root, "bin/opentui-sidecar"), "hook"], {
    cwd: home,
    env: { ...cleanEnvironment(home), XDG_STATE_HOME: join(home, "state"), CLAUDE_CONFIG_DIR: "", CLAUDE_PID: "77" },
    stdin: new Blob([JSON.stringify(request)]),
    stdout: "pipe",
    stderr: "pipe",
  })
  opened(() => child.kill("SIGKILL"))
  return child
}

/** What the hook printed, and that it ended as one that decides nothing else. */
async function ended(child: ReturnType<typeof start>): Promise<string> {
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect([err, code]).toEqual(["", 0])
  return out
}

/** A screen that hooks ask, what it shows, and hooks that ask it with another input, or about another session. */
async function screen(home = fileScratch()) {
  const desk = await HookDesk.open(stateIn(home))
  if (desk === null) throw new Error("expected a desk, got none")
  opened(desk.close)
  const told: string[] = []
  const tell = (all: readonly GuestEvent[]): void => {
    const words = all.map(({ event, data }) => event?.replace("human-input/", "") ?? String(data["prompt-id"]))
    told.push([...words, ...(all.every(({ ts }) => ts === told.length) ? [] : ["at another time"])].join(" "))
  }
  const talk = new HookTalk(desk, REQUEST.transcript_path, () => told.length, tell)
  // Another listener comes and goes.
  desk.listen(() => undefined)()
  const decides = async (command: string, path: string = REQUEST.transcript_path) => {
    const permission_mode = ["default", "acceptEdits", "plan"][command.length % 3]
    const request = { ...REQUEST, permission_mode, tool_input: { command }, transcript_path: path }
    const place = { stateDir: stateIn(home), claude: join(home, ".claude"), pid: "77" }
    const printed = await hookDecision(JSON.stringify(request), place)
    return printed === "" ? null : JSON.parse(printed).hookSpecificOutput.decision
  }
  /** Starts to ask, and waits until so many questions are open. */
  const asks = async (count: number, command: string, path?: string) => {
    const decision = decides(command, path)
    await until(() => desk.questions.length === count)
    return { decision }
  }
  return { home, desk, talk, told, decides, asks }
}

test("a question comes to the screen, and its answer to the CLI; nobody else may open the socket", async () => {
  const { home, talk, told } = await screen()
  const child = start(home, REQUEST)
  await until(() => talk.isOpen)
  const directory = hookDirectory(stateIn(home))
  const modes = [directory, join(directory, `${process.pid}.sock`)].map(async path => (await stat(path)).mode & 0o777)
  expect(await Promise.all(modes)).toEqual([0o700, 0o600])
  expect([talk.command(answer(9, "allow")), talk.command({ type: "pause" })]).toEqual([false, false])
  expect(talk.command(answer(1, "always 0"))).toBe(true)
  const updatedPermissions = REQUEST.permission_suggestions
  const decision = { behavior: "allow", updatedInput: REQUEST.tool_input, updatedPermissions }
  const hookSpecificOutput = { hookEventName: "PermissionRequest", decision }
  expect(JSON.parse(await ended(child))).toEqual({ hookSpecificOutput })
  expect([talk.isOpen, told]).toEqual([false, ["start claude#1", "answer"]])
  const next = start(home, REQUEST)
  await until(() => talk.isOpen)
  next.kill("SIGTERM")
  expect(await ended(next)).toBe("")
  await until(() => !talk.isOpen)
})

test("what a person adds to the settings has the hook asked about every tool, and waited for an hour", () => {
  const hooks = [{ type: "command", command: "sidecar hook", timeout: 3600 }]
  expect(JSON.parse(hookSettings("sidecar hook"))).toEqual({ hooks: { PermissionRequest: [{ matcher: "*", hooks }] } })
  expect(hookSettings("")).toEndWith("}\n")
})

test("hooks that ask at once are asked one after the other, and each has its own decision", async () => {
  const listeners = process.listenerCount("exit")
  const before = process.listenerCount("SIGTERM")
  const { home, desk, talk, told, decides, asks } = await screen()
  expect(process.listenerCount("exit")).toBe(listeners + 1)
  const counts: number[] = []
  desk.listen(() => void counts.push(desk.questions.length))
  const [first, second] = [await asks(1, "one"), await asks(2, "two")]
  const other = await asks(3, "three", "/another/session.jsonl")
  expect(desk.questions.map(({ request }) => request.tool_input)).toEqual(
    ["one", "two", "three"].map(command => ({ command })),
  )
  talk.command(answer(1, "deny"))
  expect(await first.decision).toEqual({ behavior: "deny", message: "The person denied this." })
  talk.command({ type: "cancel", promptId: "claude#2" })
  expect(await second.decision).toBeNull()
  expect([talk.isOpen, talk.command({ type: "pause" }), desk.questions.length]).toEqual([false, false, 1])
  expect(told).toEqual(["start claude#1", "answer start claude#2", "cancelled"])
  expect(counts).toEqual([1, 2, 3, 2, 1])
  talk.close()
  const late = await asks(2, "four")
  expect(told).toHaveLength(3)
  desk.close()
  expect(await Promise.all([other.decision, late.decision, decides("five")])).toEqual([null, null, null])
  expect([process.listenerCount("exit"), process.listenerCount("SIGTERM")]).toEqual([listeners, before])
  // What a screen of this number left is no hindrance; a state directory that is none is one.
  await writeFile(join(hookDirectory(stateIn(home)), `${process.pid}.sock`), "a file")
  const again = await screen(home)
  expect(await HookDesk.open(join(hookDirectory(stateIn(home)), `${process.pid}.sock`))).toBeNull()
  const last = await again.asks(1, "six")
  again.talk.command(answer(1, "say"))
  again.talk.command(answer(2, "Look first."))
  expect(await last.decision).toEqual({ behavior: "deny", message: "Look first." })
  const left = await again.asks(1, "seven")
  again.desk.close()
  expect(await left.decision).toBeNull()
})

test("a terminal that is busy before it waits, and that goes on waiting, has answered nothing, and an hour is enough", async () => {
  const { home, desk, talk, told, asks } = await screen()
  const path = join(home, ".claude/sessions/77.json")
  await mkdir(join(home, ".claude/sessions"), { recursive: true })
  let look = (): void => undefined
  using _ = spyOn(globalThis, "setInterval").mockImplementation(((run: () => void) => {
    look = run
    return 0
  }) as unknown as typeof setInterval)
  const sees = async (status: string, statusUpdatedAt: number, cut = "}") => {
    await writeFile(path, JSON.stringify({ status, statusUpdatedAt }).replace("}", cut))
    look()
    for (let read = 0; read < 5; read++) await Promise.all([readFile(path), turn()])
  }
  const { decision } = await asks(1, "one")
  for (const [status, at] of Object.entries({ busy: 1, waiting: 2 })) await sees(status, at)
  await sees("waiting", 2)
  await sees("busy", 2, "")
  talk.command(answer(1, "deny"))
  expect(await decision).toMatchObject({ behavior: "deny" })
  for (const [at, ends] of Object.entries({ busy: 2, waiting: 3 })) {
    const next = await asks(1, at)
    await sees("waiting", 2)
    await sees(at, ends)
    expect(await next.decision).toBeNull()
    await until(() => desk.questions.length === 0)
    expect([talk.isOpen, told.at(-1)]).toEqual([false, "interrupted"])
  }
  using timers = spyOn(globalThis, "setTimeout")
  const last = await asks(1, "last")
  for (const [end, ms] of timers.mock.calls) if (ms === 3_595_000) end()
  expect(await last.decision).toBeNull()
})

test("the hook decides nothing where no screen is, in other modes, and for what is no request", async () => {
  const [home, mode] = [fileScratch(), { ...REQUEST, permission_mode: "bypassPermissions" }]
  expect(await ended(start(home, REQUEST))).toBe("")
  const place = { stateDir: stateIn((await screen()).home), claude: home, pid: "1" }
  const requests = [{ ...REQUEST, hook_event_name: "PreToolUse" }, mode, "text", null]
  const texts = [...requests.map(one => JSON.stringify(one)), "not JSON", ""]
  expect(await Promise.all(texts.map(text => hookDecision(text, place)))).toEqual(texts.map(() => ""))
})

test("a desk keeps no program running", async () => {
  const script = `await (await import(process.argv[1])).HookDesk.open(process.argv[2])`
  const desk = join(root, "src/hook/hook-desk.ts")
  expect(await Bun.spawn(["bun", "-e", script, desk, fileScratch()], { timeout: 15_000 }).exited).toBe(0)
})

test("another program in the place of a screen decides nothing, and what a killed screen left is removed", async () => {
  const { home, talk, asks, decides, desk } = await screen()
  const directory = hookDirectory(stateIn(home))
  const script = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`
  await Bun.spawn(["node", "-e", script, join(directory, "1.sock")]).exited
  for (const [name, said] of [
    ["2.sock", ""],
    ["3.sock", "junk"],
    ["4.sock", "[]"],
    ["other.sock", '{"behavior":"allow"}'],
  ] as const) {
    // Who says nothing hangs up before it has heard the question.
    const answer = (socket: Socket) => (said === "" ? socket.destroy() : socket.end(said))
    const server = createServer(answer).listen(join(directory, name))
    opened(() => server.close())
  }
  const { decision } = await asks(1, "one")
  talk.command(answer(1, "deny"))
  expect(await decision).toMatchObject({ behavior: "deny" })
  desk.close()
  expect(await decides("two")).toBeNull()
  expect((await readdir(directory)).sort()).toEqual(["2.sock", "3.sock", "4.sock", "other.sock"])
})

test("a screen hears a hook's whole line, once, and hangs up on what is no request or too long", async () => {
  const { home, desk, talk, told } = await screen()
  const hook = async (...pieces: readonly string[]) => {
    const socket = connect(join(hookDirectory(stateIn(home)), `${process.pid}.sock`))
    const closed = new Promise<string>(over => socket.on("close", () => over("closed")).on("error", () => undefined))
    for (const piece of pieces) await new Promise(sent => socket.write(piece, sent))
    return { socket, closed }
  }
  const long = JSON.stringify({ ...REQUEST, tool_input: { text: "x".repeat(16 * 1024 * 1024) } })
  for (const text of ["not JSON\n", "[]\n", `${long}\n`]) expect(await (await hook(text)).closed).toBe("closed")
  const line = JSON.stringify(REQUEST)
  const { socket } = await hook(line.slice(0, 9), `${line.slice(9)}\n`)
  await until(() => talk.isOpen)
  const [question] = desk.questions
  await new Promise(sent => socket.write("\n", sent))
  talk.look()
  expect([desk.questions.length, desk.questions[0] === question, told]).toEqual([1, true, ["start claude#1"]])
  socket.destroy()
  await until(() => !talk.isOpen)
  expect(told).toEqual(["start claude#1", "interrupted"])
})
