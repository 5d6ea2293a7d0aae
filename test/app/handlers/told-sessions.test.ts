// Tests which sessions of agents home has been told of, by an agent that the test writes.
import { expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ToldSessions } from "../../../src/app/handlers/told-sessions.ts"
import { noPrices } from "../../../src/run/model/prices.ts"
import { fileScratch } from "../../scratch.ts"

/** An agent of the protocol that tells of these sessions. */
function agent(name: string, sessions: readonly object[]): string {
  const path = join(fileScratch(), name)
  const told = {
    initialize: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} }, loadSession: true } },
  }
  const script = `const told = ${JSON.stringify({ ...told, "session/list": { sessions } })}
process.stdin.on("data", data => {
  for (const line of String(data).split("\\n").filter(Boolean)) {
    const { id, method } = JSON.parse(line)
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: told[method] ?? {} }))
  }
})`
  writeFileSync(path, `#!${process.execPath}\n${script}\n`)
  chmodSync(path, 0o700)
  return path
}

test("an agent's sessions take the place of those that it told of before, and one that tells of none is refused", async () => {
  const told = new ToldSessions()
  const names = () =>
    told.all.map(({ run, facts }) => [run.cli, run.talk.sessionId, run.changedAt, facts.session?.title])
  const tea = agent("tea", [
    { sessionId: "1", cwd: "/shop", title: "Brew\x07", updatedAt: "2026-01-01T00:00:00Z" },
    { sessionId: "2", cwd: "/shop", updatedAt: "some day" },
  ])
  expect(await told.ask(`${tea} --fast`, noPrices)).toEqual([tea, "--fast"])
  await told.ask(agent("cook", [{ sessionId: "3", cwd: "/shop" }]), noPrices)
  expect(names()).toEqual([
    ["tea", "1", 1_767_225_600_000, "Brew␇"],
    ["tea", "2", 0, ""],
    ["cook", "3", 0, ""],
  ])
  await told.ask(agent("tea", [{ sessionId: "4", cwd: "/shop" }]), noPrices)
  expect(names().map(([cli, id]) => `${cli} ${id}`)).toEqual(["cook 3", "tea 4"])
  expect(told.all[0]?.run).toMatchObject({ directory: "/shop", size: 0, talk: { directory: "/shop" } })
  await expect(told.ask(agent("cook", []), noPrices)).rejects.toThrow("cook tells of no sessions")
  await expect(told.ask("/none/at-all", noPrices)).rejects.toThrow()
  expect(names()).toHaveLength(2)
})
