// Tests a guest in a terminal: live and from its log, with its keys, stdin, signals and exit code.
import { describe, expect, test } from "bun:test"
import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { isRunning } from "../running.ts"
import { fileScratch, scratch } from "../scratch.ts"
import { until } from "../until.ts"
import { modes } from "./modes.ts"
import { openSidecar, spawned } from "./sidecar.ts"
import { cleanEnvironment, type Terminal } from "./terminal.ts"

const guest = (name: string): string => join(root, "fixtures/guest", name)
const HERMES = ["--parser", guest("hermes-parser.cjs")]

/** The sidecar with these arguments. */
const open = (...args: readonly string[]): Promise<Terminal> =>
  openSidecar({ cols: 160, rows: 60, cmd: [...spawned, ...args] })

/** A shell's line in the terminal, in which `sidecar` is the program. */
function shell(line: string): Promise<Terminal> {
  const sidecar = spawned.map(word => `'${word}'`).join(" ")
  return openSidecar({ cmd: ["sh", "-c", line.replaceAll("sidecar", sidecar)] })
}

/** Calls `work` with the path of a temporary file with this text. */
async function withFile(name: string, text: string, work: (path: string) => Promise<void>): Promise<void> {
  using directory = scratch()
  await writeFile(join(directory.path, name), text)
  await work(join(directory.path, name))
}

describe("the command run", () => {
  test("shows the guest's output as its parser reads it, and exits with its code", async () => {
    await using sidecar = await open("run", ...HERMES, "--", "sh", "-c", `cat '${guest("hermes.log")}'; exit 3`)
    const rows = (await sidecar.waitFor("exit code 3")).join("\n")
    expect(rows).toContain("[hermes] Session resumed: abc123")
    expect(rows).toContain("thinking")
    expect(rows).toMatch(/▸ read {2}\/home\/user\/project\/README\.md {2}read — Project Overview: .* 1\.2s +✓/)
    expect(rows).toContain("• Tests are in /tests")
    expect(await sidecar.press("\x03").exited).toBe(3)
    expect(modes(sidecar.raw)).toEqual([])
  })

  test("knows a CLI by its name, and the header, the rows and the transcript say what its result says", async () => {
    const log = join(root, "fixtures/agents/claude-2.1.331-tools.jsonl")
    const streaming = ["-p", "why?", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]
    await withFile("claude", `#!/bin/sh\ncat '${log}'\n`, async path => {
      await chmod(path, 0o755)
      await using sidecar = await open("run", "--", path, ...streaming)
      const rows = await sidecar.waitFor(/finished[\s\S]* 153 out/)
      expect(rows[0]).toContain("claude  parser claude")
      expect(rows[0]).toContain("10,830 in (60% cached)  153 out  $0.0257")
      expect(rows.join("\n")).toMatch(/✓ claude +! 1 tool failed/)
      // What went well is one row; `z` folds the rest too, and then unfolds all.
      expect(rows.join("\n")).toMatch(/▸ Bash {2}\$ wc -l note\.txt {2}3 note\.txt +✓/)
      await sidecar.press("z").waitFor(/▸ assistant /)
      const unfolded = (await sidecar.press("z").waitFor(/▎ \$ wc -l note\.txt/)).join("\n")
      expect(unfolded).toMatch(/\$ wc -l note\.txt\s*│[^\n]*\n[^\n]*description: a scripted call/)
      // The CLI doesn't print its prompt; its command line has it.
      expect(unfolded).toContain("why?")
    })
  })

  test("takes its keys from the terminal though it has piped input, unless it prints lines or into a pipe", async () => {
    const script = `const { keyboard } = await import("./src/app/load-surface.ts")
      console.log([false, true].map(plain => keyboard(plain) !== null)); process.exit()`
    const keyed = `true | ${process.execPath} -e '${script}'`
    await using terminal = await openSidecar({ cmd: ["sh", "-c", `${keyed}; ${keyed} | cat`] })
    expect((await terminal.waitFor(/\][\s\S]*\]/)).join("\n").trim()).toBe("[ true, false ]\n[ false, false ]")
  })

  test("says why a debugger's key has no effect, and keeps the terminal's keys from the guest", async () => {
    await using sidecar = await open("run", "--", "sh", "-c", 'read -r line; echo "got [$line]"; sleep 60')
    await sidecar.waitFor("got []")
    await sidecar.press("\t").waitFor("─ LOG")
    await sidecar.press("p").waitFor("Can't pause: sh has no debugger")
    await sidecar.press("\x03").waitFor("Press Ctrl-C again to end the run")
    expect(await sidecar.press("\x03").exited).toBe(143)
  })

  test("passes piped input to the guest, and takes keys from the terminal", async () => {
    await using sidecar = await shell("printf 'one\\ntwo\\n' | sidecar run -- sh -c 'cat; echo three'")
    await sidecar.waitFor(/one[\s\S]*two[\s\S]*three/)
    await sidecar.press("?").waitFor("KEYS")
    await sidecar.press("\x1b").waitFor(rows => !rows.join("\n").includes("KEYS"))
    expect(await sidecar.press("\x03").exited).toBe(0)
  })

  test("passes signals on: the second Esc and SIGINT interrupt the guest, SIGTERM ends it with its code", async () => {
    const command = "trap 'echo interrupted' INT; trap 'exit 9' TERM; echo up; while :; do sleep 0.1; done"
    await using sidecar = await open("run", "--", "sh", "-c", command)
    await sidecar.waitFor("up")
    await sidecar.press("\x1b").waitFor("Press Esc again to interrupt the agent")
    await sidecar.press("\x1b").waitFor("interrupted")
    sidecar.kill("SIGINT")
    await sidecar.waitFor(/interrupted[\s\S]*interrupted/)
    sidecar.kill("SIGTERM")
    expect(await sidecar.exited).toBe(9)
    expect(modes(sidecar.raw)).toEqual([])
  })

  test("gives up a parser that never ends, and ends at SIGTERM", async () => {
    const parser = "export const parseStdoutLine = () => { const n = () => Promise.resolve().then(n); n(); return [] }"
    await withFile("endless.js", parser, async path => {
      await using sidecar = await open("run", "--parser", path, "--", "sh", "-c", "echo up; sleep 60")
      await sidecar.waitFor(/sh +start/)
      await sidecar.press("\t").waitFor(/LOG .* 1 warning [\s\S]*was stopped/)
      sidecar.kill("SIGTERM")
      expect(await sidecar.exited).toBe(143)
      expect(modes(sidecar.raw)).toEqual([])
    })
  })

  test("lets no parser write to the terminal or read its keys", async () => {
    const talk =
      "for (const say of [() => alert('PWN'), () => confirm('PWN'), () => prompt('PWN')]) try { say() } catch {}"
    const parser = `export const parseStdoutLine = (line, ts) => { ${talk}; return [{ kind: "assistant", ts, text: "read " + line }] }`
    await withFile("talker.js", parser, async path => {
      await using sidecar = await open("run", "--parser", path, "--", "sh", "-c", "echo up; sleep 60")
      await sidecar.waitFor("read up")
      await sidecar.press("\x03").waitFor("Press Ctrl-C again to end the run")
      expect(await sidecar.press("\x03").exited).toBe(143)
      expect(sidecar.raw).not.toContain("PWN")
    })
  })

  test.each([[[]], [["--plain"]]])(
    "ends the guest's own processes, also if they ignore every signal: %j",
    async flags => {
      const ignore = "trap '' TERM INT HUP QUIT"
      const command = `${ignore}; sh -c "${ignore}; sleep 300" & echo $! > "$HOME/pid"; echo up; wait`
      await using sidecar = await open("run", ...flags, "--", "sh", "-c", command)
      await sidecar.waitFor(flags.length === 0 ? "up" : "sh: start")
      const pid = Number(await Bun.file(join(sidecar.home, "pid")).text())
      sidecar.kill("SIGTERM")
      expect(await sidecar.exited).toBe(137)
      expect(modes(sidecar.raw)).toEqual([])
      await until(async () => !(await isRunning(pid)))
    },
  )

  test("ends with 127 in one line where there is no such command", async () => {
    await using none = await open("run", "--", "no-such-command")
    expect(await none.exited).toBe(127)
    expect(none.raw).not.toContain("\x1b[?1049h")
  })

  test("prints lines into a pipe, with the guest's stdin and exit code", async () => {
    const program = Bun.spawn([...spawned, "run", "--", "sh", "-c", "cat; exit 4"], {
      cwd: root,
      env: cleanEnvironment(fileScratch()),
      stdin: new Blob(["said\n"]),
      stdout: "pipe",
      stderr: "ignore",
    })
    const text = await new Response(program.stdout).text()
    expect(text).toContain("said")
    expect(text).toContain("command: sh ended with exit code 4")
    expect(await program.exited).toBe(4)
  })
})
