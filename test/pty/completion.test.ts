// Tests the completions for zsh where they are used: at its prompt, with Tab.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { completion } from "../../src/cli/manual/completion.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

/** A zsh that has loaded the completions as a person's `.zshrc` does. */
async function openZsh(): Promise<Terminal> {
  const load = "autoload -Uz compinit && compinit -u -D && source ./script && PS1='ready> '"
  const zsh = await openTerminal({
    cmd: ["sh", "-c", 'cd "$HOME" && until [ -e script ]; do sleep 0.02; done; exec zsh -f -i'],
    cols: 100,
  })
  await Bun.write(join(zsh.home, "notes.log"), "")
  await Bun.write(join(zsh.home, "script"), completion("zsh"))
  await zsh.type(`${load}\n`).waitFor(/^ready>/m)
  return zsh
}

describe.skipIf(Bun.which("zsh") === null)("zsh, with Tab", () => {
  const cases: readonly (readonly [typed: string, shown: RegExp])[] = [
    ["opentui-sidecar repl", /^ready> opentui-sidecar replay/m],
    ["opentui-sidecar sess", /^ready> opentui-sidecar sessions/m],
    ["opentui-sidecar se", /^search +-- searches a run/m],
    ["opentui-sidecar export --no-r", /^ready> opentui-sidecar export --no-redact/m],
    ["opentui-sidecar export --as h", /^ready> opentui-sidecar export --as html/m],
    ["opentui-sidecar demo --on-agent-exit l", /^ready> opentui-sidecar demo --on-agent-exit leave/m],
    ["opentui-sidecar replay no", /^ready> opentui-sidecar replay notes\.log/m],
    ["opentui-sidecar replay --parser no", /^ready> opentui-sidecar replay --parser notes\.log/m],
    ["opentui-sidecar help exp", /^ready> opentui-sidecar help export/m],
    ["opentui-sidecar completion f", /^ready> opentui-sidecar completion fish/m],
    ["opentui-sidecar --vers", /^ready> opentui-sidecar --version/m],
    ["opentui-sidecar --theme li", /^ready> opentui-sidecar --theme light/m],
  ]
  test("completes commands, options, values and files", async () => {
    await using zsh = await openZsh()
    for (const [typed, shown] of cases) {
      const rows = await zsh.type(`${typed}\t`).waitFor(shown)
      expect(rows.join("\n")).not.toContain("error")
      await zsh.press("\x15\x0c").waitFor(rows => rows.join("").trim() === "ready>")
    }
  })
})
