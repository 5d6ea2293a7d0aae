// Keeps how the habits of Escapement change frames and commands, and what the log of the heard messages holds.
import { expect, test } from "bun:test"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "../../packages/wire/src/command.ts"
import type { Outgoing } from "../../src/agent/greeting.ts"
import { EscapementHabits } from "../../src/scripted-agent/escapement-habits.ts"
import { InboundLog } from "../../src/scripted-agent/inbound-log.ts"
import { jsonl } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

test("with the habits of Escapement, frames tell less, each in its own way", async () => {
  const habits = new EscapementHabits()
  const frames = await jsonl<Outgoing>("habits")
  const out = frames.map(
    frame =>
      habits
        .outgoing(frame)
        .map(one => JSON.stringify(one))
        .join("\n") || "nothing",
  )
  const place = { invokeid: "a", nodeId: ":n", visit: 0 }
  const commands: readonly Command[] = [
    { type: "rerun-from", sessionId: "s", turn: 0, overrides: {}, ...place },
    ...[{ type: "request-conversation", ...place } as const, { type: "request-conversation", invokeid: "a" } as const],
    { type: "ui-quit" },
  ]
  const heard = commands.map(one => JSON.stringify(habits.incoming(one)))
  expect([...out, ...heard].join("\n")).toMatchSnapshot()
})

test("the log of what was heard is its owner's alone, a line for each message, and closed at the end", () => {
  const path = join(scratch, "heard.jsonl")
  writeFileSync(path, "before\n", { mode: 0o666 })
  const log = new InboundLog(path)
  const messages = ['{"a": 1}', '{"a":\n2}', "no json", '"text"', "null"].map(text => log.add(text))
  expect(messages).toEqual([{ a: 1 }, { a: 2 }, "no json", "text", null])
  expect(log.messages).toEqual(messages)
  expect(readFileSync(path, "utf8")).toBe('before\n{"a": 1}\n"{\\"a\\":\\n2}"\n"no json"\n"text"\nnull\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  log.close()
  expect(() => log.add("more")).toThrow("EBADF")
})
