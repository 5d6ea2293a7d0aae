// Tests what is done for a person at their terminal, and with programs of their own: an editor, a clipboard, tmux.
import { expect, spyOn, test } from "bun:test"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { chmod, readdir } from "node:fs/promises"
import { join } from "node:path"
import { editText } from "../../../src/app/handlers/external-programs.ts"
import { copyLocally } from "../../../src/app/handlers/local-clipboard.ts"
import { goToTerminal } from "../../../src/app/handlers/session-terminal.ts"
import type { PromptKey } from "../../../src/run/model/id.ts"
import type { Effect } from "../../../src/view/effect.ts"
import { withVariables } from "../../cli/called.ts"
import { open } from "../../panels/planned.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../../screen/open-screens.ts"
import { until } from "../../until.ts"
import { ASKED, held, notPrivate, stateDirectory } from "../open-run.ts"

const scratch = fileScratch()
const state = join(scratch, "state/opentui-sidecar")

/** A program in place of an editor: the file's path is its last argument, `$1` if there is no other. */
async function program(name: string, script: string): Promise<string> {
  const path = join(scratch, name)
  await Bun.write(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o700)
  return path
}

const left = async () => await readdir(state).catch(() => [])
const edit = (text: string, editor: readonly string[]) =>
  editText(text, { editor, directory: state, keeps: () => false })

test("a text in an editor comes back as saved, with control characters made visible, and its file, which only its owner can read, is removed", async () => {
  const add = await program("add", 'printf "second é🎉\\n" >> "$1"')
  expect(await edit("first\n", [add])).toEqual({ type: "edited", text: "first\nsecond é🎉\n", kept: null })
  expect(await edit("one ", [add])).toEqual({ type: "edited", text: "one second é🎉", kept: null })
  const show = await program("mode", 'stat -c %a "$2" > "$2.mode"; cat "$2.mode" > "$2"; rm "$2.mode"')
  expect(await edit("x", [show, "an argument with spaces"])).toEqual({ type: "edited", text: "600", kept: null })
  const steer = await program("steer", 'printf "a\\033[2Jb" > "$1"')
  expect(await edit("", [steer])).toEqual({ type: "edited", text: "a␛[2Jb", kept: null })
  expect([await left(), notPrivate(state)]).toEqual([[], []])
})

test("a text in an editor stays as it was if the editor fails or does not exist, with the reason", async () => {
  const fail = await program("fail", 'echo lost > "$1"; exit 3')
  expect(await edit("kept", [fail])).toMatchObject({
    type: "failed",
    why: expect.stringContaining("failed with exit code 3"),
  })
  expect(await edit("kept", [join(scratch, "nobody")])).toMatchObject({ type: "failed" })
  expect(await edit("kept", [])).toMatchObject({ type: "failed" })
  expect(await left()).toEqual([])
})

const BOTH = { WAYLAND_DISPLAY: "w", DISPLAY: ":0" }

test.each([
  ["Wayland's", BOTH, "wl-copy xclip xsel", 0, "wl-copy", "wl-copy"],
  ["of X, where Wayland's isn't there", BOTH, "xclip xsel", 0, "xclip -selection clipboard", "xclip"],
  ["the other one of X", { DISPLAY: ":0" }, "wl-copy xsel", 0, "xsel --clipboard --input", "xsel"],
  ["none that fails", BOTH, "wl-copy xclip", 1, "wl-copy", null],
  ["none without a desktop", {}, "wl-copy xclip xsel", 0, null, null],
  ["none over ssh", { ...BOTH, SSH_CONNECTION: "1" }, "wl-copy", 0, null, null],
] as const)("a text is given to the tool %s", async (_, env, tools, code, command, told) => {
  using _variables = withVariables({ WAYLAND_DISPLAY: "", DISPLAY: "", SSH_CONNECTION: "", ...env })
  using _which = spyOn(Bun, "which").mockImplementation(name => (tools.split(" ").includes(name) ? name : null))
  const { spawn } = Bun
  using spawned = spyOn(Bun, "spawn").mockImplementation(((_: unknown, options: object) =>
    spawn(["sh", "-c", `[ "$(cat)" = text ] && exit ${code}; exit 9`], options)) as never)
  expect(await copyLocally("text")).toBe(told)
  expect(spawned.mock.calls.map(([words]) => (words as unknown as string[]).join(" "))).toEqual(
    command === null ? [] : [command],
  )
})

const home = fileScratch()

const ID = "0000000a-aaaa-4bbb-8ccc-dddddddddddd"
/** Puts a session of Claude Code there; `pid` runs it. Returns what `o` says, and what it copied. */
async function wayTo(pid: number | null, { copies = true, env = {}, cwd = "/home/ada's shop" as string | null } = {}) {
  const path = join(home, `.claude/projects/-p/${ID}.jsonl`)
  const prompt = { type: "user", cwd, message: { role: "user", content: "Hello" } }
  await Bun.write(path, `${JSON.stringify(prompt)}\n`)
  if (pid !== null) {
    const stat = await Bun.file(`/proc/${pid}/stat`).text()
    const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
    const status = { pid, procStart, sessionId: ID, status: "idle" }
    await Bun.write(join(home, `.claude/sessions/${pid}.json`), JSON.stringify(status))
  }
  const copied: string[] = []
  const said = await goToTerminal(path, env, text => copied.push(text) > 0 && copies, home)
  return [said, copied]
}

test("of a session that no process holds, the command that goes on with it is copied, for its directory", async () => {
  const command = `cd '/home/ada'\\''s shop' && claude --resume ${ID}`
  // The number of a process that held it is another's by now.
  const status = { pid: 1, procStart: "0", sessionId: ID, status: "idle" }
  await Bun.write(join(home, ".claude/sessions/1.json"), JSON.stringify(status))
  expect(await wayTo(null)).toEqual([`Copied: ${command}`, [command]])
  expect(await wayTo(null, { copies: false })).toEqual([`Go on with it by: ${command}`, [command]])
  expect((await wayTo(null, { cwd: null }))[0]).toBe(`Copied: claude --resume ${ID}`)
})

test("a session that runs is never offered to go on with: its terminal is told, and its window of tmux, which shows it", async () => {
  const alone = Bun.spawn(["setsid", "sleep", "60"], { stdio: ["ignore", "ignore", "ignore"] })
  opened(() => alone.kill("SIGKILL"))
  expect(await wayTo(alone.pid)).toEqual([`It runs without a terminal, as process ${alone.pid}`, []])
  alone.kill("SIGKILL")
  await alone.exited
  const script = ["script", "-qec", "echo $$; exec sleep 60", "/dev/null"]
  const child = Bun.spawn(script, { stdio: ["ignore", "pipe", "ignore"] })
  opened(() => child.kill("SIGKILL"))
  const { value } = await child.stdout.getReader().read()
  const pid = Number(Buffer.from(value ?? []))
  const terminal = readlinkSync(`/proc/${pid}/fd/0`)
  const { spawn } = Bun
  let tmux = ""
  using _ = spyOn(Bun, "spawn").mockImplementation(((words: readonly string[], options: object) =>
    spawn(["sh", "-c", tmux, ...words.slice(1)], options)) as never)
  const said = async (env: object, lists: string, list: number, change: number) => {
    const shows = `[ "$*" = "-t %3" ] && exit ${change}`
    tmux = `case "$0 $1 $2" in "list-panes -a -F") printf '${lists}'; exit ${list};; switch-client*) ${shows};; esac; exit 9`
    const [words, copied] = await wayTo(pid, { env })
    return [...(copied ?? []), String(words).replaceAll(terminal, "TTY")]
  }
  const lists = `${terminal}9 %%2 soup:1\\n${terminal} %%3 tea:2\\n`
  expect([
    await said({}, lists, 0, 0),
    await said({ TMUX: "x" }, lists, 0, 0),
    await said({ TMUX: "x" }, lists, 0, 1),
    await said({ TMUX: "x" }, lists, 1, 0),
    await said({ TMUX: "x" }, "", 0, 0),
  ]).toEqual([
    ["It runs in tmux, in tea:2 (TTY)"],
    ["Went to tea:2"],
    ["It runs in tmux, in tea:2 (TTY)"],
    ["It runs in another terminal, TTY"],
    ["It runs in another terminal, TTY"],
  ])
})

test("a session whose file is gone, or whose CLI tells nothing of processes, says so", async () => {
  const gemini = join(home, ".gemini/tmp/p/chats/session-2026-1.jsonl")
  await Bun.write(gemini, '{"sessionId":"g","startTime":"2026-01-01"}\n{"id":"a","type":"user","content":"Hi"}\n')
  const said = "gemini doesn't tell where its sessions run"
  expect(await goToTerminal(gemini, {}, () => true, home)).toBe(said)
  expect(await goToTerminal("/none", {}, () => true, home)).toBe("The session is gone")
})

test("the terminal does what it is asked for, with texts that can't steer it, and the mouse says what it does", async () => {
  const { run, surface, notice } = await held()
  const texts = ["a\x1b[2Jb", null] as const
  run.perform([
    ...["redraw", "bell"].map(one => ({ type: `terminal/${one}` }) as Effect),
    ...texts.map(words => ({ type: "terminal/suspend", words }) as const),
    ...texts.map(text => ({ type: "terminal/title", text }) as const),
    { type: "terminal/notify", text: "c\x07" },
    { type: "terminal/mouse" },
  ])
  expect(surface.calls).toEqual([
    ...["redraw", "bell", "suspend a␛[2Jb", "suspend null", "title a␛[2Jb", "title null", "notify c␇", "mouse"],
  ])
  expect(notice()).toBe("Mouse on. Shift-drag selects text")
  const { terminal } = surface
  surface.terminal = null
  run.perform([{ type: "terminal/bell" }, { type: "terminal/mouse" }, { type: "pager/show", text: "x" }])
  expect([notice(), surface.calls.length]).toEqual(["Mouse on. Shift-drag selects text", 8])
  surface.terminal = terminal
  run.perform([{ type: "terminal/mouse" }])
  expect(notice()).toBe("Mouse off")
})

test("a program of the person's gets the text or the file, and a failure of it is told", async () => {
  const { home, run, notice, come, store } = await held()
  const shown = async (effect: Effect, file: string, said: string | null) => {
    run.perform([effect])
    await until(() => Bun.file(join(home, file)).size > 0 && `${notice()}`.endsWith(`${said}`))
    return readFileSync(join(home, file), "utf8")
  }
  expect(await shown({ type: "file/open", name: "artifacts/a.txt" }, "viewed", null)).toBe(
    `${home}/run/artifacts/a.txt\n`,
  )
  expect(await shown({ type: "file/open", name: "none" }, "viewed", "Can't open none")).not.toContain("none")
  const failed = `${home}/pager failed with exit code 4`
  expect(await shown({ type: "pager/show", text: "a\x1bb" }, "paged", failed)).toBe("a␛b")
  run.link(open)
  const { run: before } = store.get()
  come(ASKED.replace("confirm", "text"))
  const { key = "" } = store.get().run.prompts[0] ?? {}
  // A person may look at the past meanwhile.
  store.dispatch({ type: "show", run: before })
  run.perform([{ type: "answer/edit", key: key as PromptKey, text: "draft" }])
  await until(() => JSON.stringify(store.get().view.questions.drafts).includes("edited"))
  expect(readdirSync(stateDirectory(home)).filter(name => name.startsWith("answer-"))).toEqual([])
  run.perform([{ type: "answer/edit", key: "closed by then" as PromptKey, text: "draft" }])
  const saved = () => /The question closed first\. Your text is saved in (\S+)$/.exec(notice() ?? "")?.[1]
  await until(() => saved() !== undefined)
  expect(readFileSync(saved() ?? "", "utf8")).toBe("edited")
})

test("what the terminal can't copy is saved to a file that the footer names", async () => {
  const { run, store, state, notice } = await held()
  using _variables = withVariables({ WAYLAND_DISPLAY: "", DISPLAY: "" })
  for (const [text, said] of [
    ["short é", "Copied block é (8 B), if your terminal allows it"],
    ["é".repeat(1000), "Too big for the clipboard; saved to STATE/copies/block-TIME.txt"],
  ] as const) {
    run.perform([{ type: "clipboard/copy", what: "block é", text }])
    await until(
      () =>
        notice()
          ?.replace(/-\d{8}T\d{6}Z/, "-TIME")
          .replace(state, "STATE") === said,
    )
    expect(store.get().view.notice?.level).toBe("info")
  }
  const [name = ""] = readdirSync(join(state, "copies"))
  expect(readFileSync(join(state, "copies", name), "utf8")).toBe("é".repeat(1000))
})
