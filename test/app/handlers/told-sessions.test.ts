// Tests which sessions of agents home has been told of, by an agent that the test writes.
import { expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ToldSessions } from "../../../src/app/handlers/told-sessions.ts"
import { HomeSession } from "../../../src/app/home-session.ts"
import { readOptions } from "../../../src/cli/options.ts"
import { noPrices } from "../../../src/run/model/prices.ts"
import { typingOf } from "../../../src/view/view.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../../screen/open-screens.ts"
import { until } from "../../until.ts"
import { FakeSurface } from "../open-run.ts"

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
    told.all.map(({ run, facts }) => [run.cli, run.talk.sessionId, run.changedAt, facts.session?.title].join(" "))
  const tea = agent("tea", [
    { sessionId: "1", cwd: "/shop", title: "Brew\x07", updatedAt: "2026-01-01T00:00:00Z" },
    { sessionId: "2", cwd: "/shop", updatedAt: "some day" },
  ])
  expect(await told.ask(`${tea} --fast`, noPrices)).toEqual([tea, "--fast"])
  await told.ask(agent("cook", [{ sessionId: "3", cwd: "/shop" }]), noPrices)
  expect(names()).toEqual(["tea 1 1767225600000 Brew␇", "tea 2 0 ", "cook 3 0 "])
  await told.ask(agent("tea", [{ sessionId: "4", cwd: "/shop" }]), noPrices)
  expect(names()).toEqual(["cook 3 0 ", "tea 4 0 "])
  expect(told.all[0]?.run).toMatchObject({ directory: "/shop", size: 0, talk: { directory: "/shop" } })
  await expect(told.ask(agent("cook", []), noPrices)).rejects.toThrow("cook tells of no sessions")
  await expect(told.ask("/none/at-all", noPrices)).rejects.toThrow()
  expect(names()).toHaveLength(2)
})

test("home asks a typed agent for its sessions and puts the cursor on the first of them, or says why below what was typed", async () => {
  const env = { XDG_STATE_HOME: fileScratch(), OPENTUI_WS_PORT: "1" }
  const options = readOptions(["sessions", fileScratch()], env, true)
  if (options.command !== "home") throw new Error("expected the options of home")
  const home = new HomeSession(options, new FakeSurface())
  opened(() => home.close())
  await home.start()
  const list = async (command: string) => {
    home.store.dispatch({ type: "view", change: { notice: null, typing: typingOf("home-agent", command) } })
    const view = () => home.store.get().view
    home.perform([{ type: "sessions/list", command }])
    expect(view().notice).toMatchObject({ text: `Asking ${command} for its sessions…`, level: "info" })
    await until(() => view().typing?.error !== null)
    const { notice, typing, home: list } = view()
    return [notice?.text, typing?.error?.message ?? null, list.selected].map(
      one => one?.replaceAll(command, "IT") ?? null,
    )
  }
  const tea = agent("tea", [{ sessionId: "1", cwd: "/shop", updatedAt: "2026-01-01T00:00:00Z" }])
  const cook = agent("cook", [{ sessionId: "3", cwd: "/shop" }])
  const goes = "Enter goes on with one of its sessions"
  expect(await list(tea)).toEqual([goes, null, "IT 1"])
  expect(await list(cook)).toEqual([goes, null, "IT 3"])
  expect(await list(agent("cook", []))).toEqual([
    expect.stringContaining("Asking"),
    "cook tells of no sessions",
    `${cook} 3`,
  ])
})
