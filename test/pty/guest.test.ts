// Tests a guest in a terminal: live and from its log, with its keys, stdin, signals and exit code.
import { describe, expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
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

  test("passes SIGTERM on, and ends with the guest", async () => {
    const command = "trap 'echo bye; exit 9' TERM; echo up; while :; do sleep 0.1; done"
    await using sidecar = await open("run", "--", "sh", "-c", command)
    await sidecar.waitFor("up")
    sidecar.kill("SIGTERM")
    expect(await sidecar.exited).toBe(9)
    expect(modes(sidecar.raw)).toEqual([])
  })

  test("gives up a parser that never ends, and ends at SIGTERM and at Ctrl-C twice", async () => {
    const parser = "export const parseStdoutLine = () => { const n = () => Promise.resolve().then(n); n(); return [] }"
    await withFile("endless.js", parser, async path => {
      await using first = await open("run", "--parser", path, "--", "sh", "-c", "echo up; sleep 60")
      await first.waitFor(/sh +start/)
      await first.press("\t").waitFor(/LOG .* 1 warning [\s\S]*was stopped/)
      first.kill("SIGTERM")
      expect(await first.exited).toBe(143)
      expect(modes(first.raw)).toEqual([])
      await using second = await open("run", "--plain", "--parser", path, "--", "sh", "-c", "echo up; sleep 60")
      await second.waitFor("was stopped")
      expect(await second.press("\x03").exited).toBe(130)
    })
  })

  test("ends at SIGTERM while a parser still has much to read", async () => {
    const parser =
      "export const parseStdoutLine = () => { const end = Date.now() + 20; while (Date.now() < end); return [] }"
    await withFile("slow.js", parser, async path => {
      await using sidecar = await open(
        "run",
        "--plain",
        "--parser",
        path,
        "--",
        "sh",
        "-c",
        "echo up; yes | head -c 8000; sleep 60",
      )
      await sidecar.waitFor("chart: started sh")
      sidecar.kill("SIGTERM")
      expect(await sidecar.exited).toBe(143)
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

  test("interrupts the guest at the second Esc and by SIGINT, without ending", async () => {
    const command = "trap 'echo interrupted' INT; echo up; while :; do sleep 0.1; done"
    await using sidecar = await open("run", "--", "sh", "-c", command)
    await sidecar.waitFor("up")
    await sidecar.press("\x1b").waitFor("Press Esc again to interrupt the agent")
    await sidecar.press("\x1b").waitFor("interrupted")
    sidecar.kill("SIGINT")
    await sidecar.waitFor(/interrupted[\s\S]*interrupted/)
    sidecar.kill("SIGTERM")
    expect(await sidecar.exited).toBe(143)
  })

  test("ends the guest's own processes, also if they ignore SIGTERM", async () => {
    const command = "trap '' TERM; sh -c 'trap \"\" TERM; sleep 300' & echo pid $!; wait"
    await using sidecar = await open("run", "--", "sh", "-c", command)
    const rows = await sidecar.waitFor(/pid \d+/)
    const pid = Number(/pid (\d+)/.exec(rows.join("\n"))?.[1])
    await sidecar.press("\x03").waitFor("Press Ctrl-C again to end the run")
    expect(await sidecar.press("\x03").exited).toBe(137)
    await until(async () => !(await isRunning(pid)))
  })

  for (const flags of [[], ["--plain"]]) {
    test(`ends at SIGTERM though the guest ignores every signal, ${flags[0] ?? "with a screen"}`, async () => {
      const command = "trap '' TERM INT HUP QUIT; echo up; while :; do sleep 0.1; done"
      await using sidecar = await open("run", ...flags, "--", "sh", "-c", command)
      await sidecar.waitFor(flags.length === 0 ? "up" : "sh: start")
      sidecar.kill("SIGTERM")
      expect(await sidecar.exited).toBe(137)
      expect(modes(sidecar.raw)).toEqual([])
    })
  }

  test("reports a missing command, or a missing parser, in one line", async () => {
    await using none = await open("run", "--", "no-such-command")
    expect(await none.exited).toBe(127)
    await using missing = await open("run", "--parser", "no-such-adapter", "--", "true")
    expect(await missing.exited).toBe(2)
    expect(none.raw + missing.raw).not.toContain("\x1b[?1049h")
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
