// Tests the hook of Claude Code as the process that the CLI starts, with a screen that listens, and without one.
import { describe, expect, test } from "bun:test"
import { mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { JsonObject } from "../../packages/wire/src/json.ts"
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

/** Starts the hook with that request. */
function start(home: string, request: unknown, args: readonly string[] = []) {
  const child = Bun.spawn([join(root, "bin/opentui-sidecar"), "hook", ...args], {
    cwd: home,
    env: { ...cleanEnvironment(home), XDG_STATE_HOME: join(home, "state"), CLAUDE_CONFIG_DIR: "", CLAUDE_PID: "77" },
    stdin: new Blob([typeof request === "string" ? request : JSON.stringify(request)]),
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

/** A screen that the hook asks, the questions and events that come to it, and the hook once it has asked. */
async function asked(home = fileScratch()) {
  const desk = await HookDesk.open(stateIn(home))
  if (desk === null) throw new Error("expected a desk, got none")
  opened(desk.close)
  const told: { readonly event: string | null; readonly data: JsonObject }[] = []
  const talk = new HookTalk(
    desk,
    REQUEST.transcript_path,
    () => 1,
    all => void told.push(...all),
  )
  // Another listener comes and goes.
  desk.listen(() => undefined)()
  const child = start(home, REQUEST)
  await until(() => talk.isOpen)
  return { home, desk, talk, told, child }
}

const events = (talkEvents: readonly { readonly event: string | null; readonly data: JsonObject }[]) =>
  talkEvents.map(({ event, data }) => event ?? String(data["prompt-id"]))

test("a question comes to the screen, and its answer to the CLI; nobody else may open the socket", async () => {
  const { home, talk, told, child } = await asked()
  const directory = hookDirectory(stateIn(home))
  const modes = [directory, join(directory, `${process.pid}.sock`)].map(async path => (await stat(path)).mode & 0o777)
  expect(await Promise.all(modes)).toEqual([0o700, 0o600])
  expect(events(told)).toEqual(["human-input/start", "claude#1"])
  expect(JSON.stringify(told[1]?.data)).toContain("touch 'ä one.txt'")
  expect(talk.command({ type: "answer", promptId: "claude#9", value: "allow" })).toBe(false)
  expect(talk.command({ type: "answer", promptId: "claude#1", value: "always 0" })).toBe(true)
  expect(JSON.parse(await ended(child))).toEqual({
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: {
        behavior: "allow",
        updatedInput: REQUEST.tool_input,
        updatedPermissions: REQUEST.permission_suggestions,
      },
    },
  })
  expect([talk.isOpen, events(told).at(-1)]).toEqual([false, "human-input/answer"])
})

test("another input is a second question, and words for the model are a denial", async () => {
  const { talk, child } = await asked()
  talk.command({ type: "answer", promptId: "claude#1", value: "say" })
  talk.command({ type: "answer", promptId: "claude#2", value: "Look first." })
  expect(JSON.parse(await ended(child)).hookSpecificOutput.decision).toEqual({
    behavior: "deny",
    message: "Look first.",
  })
})

test("a question that the terminal answered first goes away, and so does that of another screen", async () => {
  const home = fileScratch()
  const status = (word: string, at: number) =>
    writeFile(join(home, ".claude/sessions/77.json"), JSON.stringify({ status: word, statusUpdatedAt: at }))
  await mkdir(join(home, ".claude/sessions"), { recursive: true })
  await status("waiting", 1)
  const { talk, told, child } = await asked(home)
  // The hook has seen that the CLI waits once it looks again; it then waits for the next question.
  await until(async () => {
    await status("waiting", Date.now())
    return !talk.isOpen
  })
  expect([await ended(child), events(told).at(-1)]).toEqual(["", "human-input/interrupted"])
})

describe("the hook decides nothing", () => {
  test.each([
    ["without a screen", REQUEST],
    ["for another event", { ...REQUEST, hook_event_name: "PreToolUse" }],
    ["in a mode that asks nobody", { ...REQUEST, permission_mode: "bypassPermissions" }],
    ["for what is no request", "not JSON"],
    ["for nothing", ""],
  ])("%s", async (_, request) => {
    expect(await ended(start(fileScratch(), request))).toBe("")
  })

  test("where another program is in the place of the screen, and where the screen was killed", async () => {
    const home = fileScratch()
    const directory = hookDirectory(stateIn(home))
    await mkdir(directory, { recursive: true })
    const script = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`
    const path = join(directory, "1.sock")
    await Bun.spawn(["node", "-e", script, path]).exited
    await writeFile(join(directory, "2.sock"), "a file")
    expect(await ended(start(home, REQUEST))).toBe("")
    expect((await readdir(directory)).includes("1.sock")).toBe(false)
  })

  test.each(["cancelled", "left", "SIGTERM"])("where its question is %s", async how => {
    const { desk, talk, child } = await asked()
    if (how === "cancelled") talk.command({ type: "cancel", promptId: "claude#1" })
    else if (how === "left") desk.close()
    else child.kill("SIGTERM")
    expect(await ended(child)).toBe("")
    await until(() => !talk.isOpen)
  })
})
