// Keeps what the command line of a CLI tells; cli-kept.ts keeps what its lines do.
import { expect, test } from "bun:test"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { acpCommand, agentSessions, talkOfCommand, talkOfPrompt } from "../../src/guest/choose-talk.ts"
import { cliOfLine, clisWith, loginOf, promptOf, withFlags } from "../../src/guest/cli-names.ts"
import { guestName } from "../../src/guest/guest-source.ts"
import { jsonl } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"

/** All that Claude Code gets to be talked to. */
const CONTROLLED = JSON.stringify(talkOfPrompt(["claude"], false, true)?.command.slice(1)).slice(1, -1)
const COMMANDS = await jsonl<string>("../commands")

/** What a command is by its words, but for nothing. */
function told(line: string): string {
  const command = line.split(" ").map(word => word.replaceAll("_", " "))
  const facts: readonly (readonly [name: string, of: () => unknown])[] = [
    ["prompt", () => promptOf(command)],
    ["parser", () => chooseParser(undefined, "/", command)],
    ["with flags", () => (withFlags(command) === command ? null : withFlags(command))],
    ["talk", () => talkOfCommand(command, false, "Go.")],
    ["talk by --acp", () => talkOfCommand(command, true, null)?.protocol],
    ["for people", () => talkOfPrompt(command, false, true)],
    ["for nobody", () => talkOfPrompt(command, false, false)?.command],
    ["by --acp", () => talkOfPrompt(command, true, true)],
    ["as typed", () => acpCommand(line.replaceAll("_", "  "))],
  ]
  const shown = facts.flatMap(([name, of]) => {
    try {
      const value = of() ?? null
      return value === null ? [] : [`${name}: ${JSON.stringify(value)}`]
    } catch (error) {
      return [`${name}: ${error}`]
    }
  })
  const hint = /"to see what it does, start it by run \w+ \\"…\\" without --, or with ([^"]*)"/
  return [line, ...shown.map(one => one.replace(hint, "or with $1").replace(CONTROLLED, "…"))].join("\n  ")
}

test("a command tells its prompt, its parser, the flags that it lacks, and how it is talked to", () => {
  expect(COMMANDS.map(told).join("\n")).toMatchSnapshot()
  const names = [[], ["/usr/bin/python3.12", "agent.py"], ["./run.sh"]].map(guestName)
  expect([...names, cliOfLine(' {"type":"agent_start"} ')]).toEqual(["agent", "python3.12", "run.sh", "pi"])
  expect(clisWith(program => /^(cursor-agent|pi|json)$/.test(program))).toEqual(["cursor", "pi"])
  expect(loginOf("pi")).toBe("to log in, start pi and type /login, or set the key of your provider")
})

test("a line is known by what its CLI alone writes", async () => {
  const lines = (await jsonl<object>("../first-lines")).map(one => JSON.stringify(one))
  expect(`\n${lines.map(line => `${cliOfLine(line) ?? "–"} ${line}`).join("\n")}\n`).toMatchSnapshot()
})

test("a CLI that was started without the flags that make it stream is warned of", () => {
  const parser = startParser(chooseParser(undefined, fileScratch(), ["codex", "hi"]))
  const hint = 'to see what it does, start it by run codex "…" without --, or with exec --json'
  expect([parser.takeWarnings(), parser.name]).toEqual([[hint], null])
})

test("an agent that can't tell its sessions says why", async () => {
  const script = `read line; echo '{"id":1,"result":{"protocolVersion":2}}'; cat >/dev/null`
  const whys = [["sh", "-c", script], ["true"]].map(command => agentSessions(command).catch(String))
  expect(await Promise.all(whys)).toMatchSnapshot()
})
