// Tests the program as it is started: what it says and with which code it ends where no screen comes to be.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { sidecar } from "../cli/ran.ts"
import { fileScratch } from "../scratch.ts"

test("the program says in a line why it can't do what it was asked for, with the exit code of that", async () => {
  const home = fileScratch()
  const config = join(home, "config/opentui-sidecar/config.toml")
  await Bun.write(config, '[keys]\nno-such-action = "x"\n')
  await Bun.write(join(home, "run.jsonl"), "")
  const told = async (words: string, env = {}) => {
    const { code, out, err } = await sidecar(words.split(" "), { cwd: home, env })
    const lines = [...out.split("\n"), ...err.split("\n").map(line => line && `! ${line}`)]
    // How often it tried is a matter of time.
    const told = lines.filter(line => line !== "" && !/^(?:dis)?connect/.test(line))
    return [`${words}: ${code}`, ...told].join("\n  ").replaceAll(home, "HOME")
  }
  const mistaken = { XDG_CONFIG_HOME: join(home, "config") }
  const all = [
    told("run --plain -- no-such-command"),
    told("acp-tee /none/agent"),
    told("acp-tee --record tea"),
    told("replay run.jsonl --plain", mistaken),
    told("--plain", { ...mistaken, OPENTUI_REPLAY: join(home, "run.jsonl") }),
    told("attach ws://127.0.0.1:1/ws --plain --timeout 0.1"),
    told("sessions . --as json"),
  ]
  expect(`\n${(await Promise.all(all)).join("\n")}\n`).toMatchSnapshot()
})
