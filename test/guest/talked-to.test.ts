// Tests a command that is talked to as a source: a real process, which is given up or left.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { startTalk, type TalkChoice } from "../../src/guest/choose-talk.ts"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { GuestSource } from "../../src/guest/guest-source.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { runFrom } from "./reading.ts"
import { keepTalks } from "./talks.ts"

keepTalks("endings")

/** Talks to a shell script. */
function talkTo(protocol: TalkChoice["protocol"], script: string, patienceMs = 60_000) {
  const talk = startTalk(protocol, { name: "sh", cwd: "/", prompt: "Go.", once: false, asks: true })
  const parser = new GuestParser("none", null)
  const source = new GuestSource({ command: ["sh", "-c", script], parser, stdin: "ignore", talk, patienceMs })
  const texts: string[] = []
  let code: number | undefined
  source.start({
    frames: frames => void texts.push(...frames.map(({ text }) => text)),
    link: status => {
      if (status.state === "exited") code = status.code
    },
    restart: () => undefined,
  })
  return { source, run: () => runFrom(texts), code: () => code }
}

test("a command that never answers is given up in words, and told to end", async () => {
  const { run, code } = talkTo("acp", "exec sleep 100", 20)
  await until(() => code() !== undefined)
  const words = "it has not answered within 0.02 s as the Agent Client Protocol has it"
  expect(run()).toMatchObject({ status: "error", reason: words })
  expect(code()).not.toBe(0)
})

test("an agent that ends well, though it could not begin, is a failed command", async () => {
  const reply = '{"id":1,"result":{"protocolVersion":2}}'
  const { run, code } = talkTo("acp", `read line; echo '${reply}'; cat >/dev/null`)
  await until(() => code() !== undefined)
  expect([run().reason, code()]).toEqual(["it speaks version 2 of the protocol; version 1 is read", 1])
})

const asks = '{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash"}}'

test("who stops a talk has left it, and sees at once that what was open is closed", async () => {
  const { source, run } = talkTo("claude", `echo '${asks}'; exec cat`)
  await until(() => run().prompts.some(({ state }) => state === "open"))
  source.stop()
  expect([run().prompts.map(({ state }) => state), run().status]).toEqual([["closed"], "finished"])
})

test("who leaves denies in words what is open, before the command's input ends", async () => {
  const directory = fileScratch()
  const file = join(directory, "heard")
  const began = Date.now()
  const { source, run, code } = talkTo("claude", `echo '${asks}'; cat >'${file}'; echo over >>'${file}'`)
  await until(() => run().prompts.some(({ state }) => state === "open"))
  expect(await source.terminate()).toBe(0)
  await until(() => code() === 0)
  const heard = readFileSync(file, "utf8").trim().split("\n").slice(-2)
  const response = { behavior: "deny", message: "The person who could answer has left." }
  expect([JSON.parse(heard[0] ?? ""), heard[1]]).toEqual([
    { type: "control_response", response: { subtype: "success", request_id: "r", response } },
    "over",
  ])
  const { rows } = run().log
  expect(slice(rows, 0, rows.length).filter(({ ts }) => ts !== null && ts < began)).toEqual([])
})
