// Tests an agent of one's own over a real connection: what people see of it, and what they can do to it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { type Agent, type AgentOptions, createAgent } from "../../src/agent/index.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { bearer, knock, Ui } from "./ui.ts"

async function start(options: Partial<AgentOptions> = {}): Promise<{ agent: Agent; directory: string; ui: Ui }> {
  const directory = join(fileScratch(), "run-1")
  const agent = await createAgent({ chart: "poem", sessionDir: directory, ...options })
  opened(() => agent.close())
  return { agent, directory, ui: await Ui.attach(agent.url, agent.token) }
}

test("only a client with the agent's token can attach, read the run or answer", async () => {
  const { agent, ui } = await start({ paused: false })
  const token = agent.token ?? ""
  expect(token).toMatch(/^[\w-]{32}$/)
  expect((await start()).agent.token).not.toBe(token)
  const wrong = [null, "x", token.slice(1), `${token}x`, token.toLowerCase().replace(/^./, "!")]
  for (const one of wrong) expect(await knock(agent.url, bearer(one))).toBe(401)
  expect(await knock(agent.url, { Authorization: token })).toBe(401)
  expect(await knock(`${agent.url}?token=${token}`, {})).toBe(401)
  expect(await knock(agent.url, bearer(token))).toBe(101)
  const answer = await fetch(agent.url.replace("ws:", "http:").replace("/ws", "/api"), { method: "POST" })
  expect(answer.status).toBe(401)
  const whole = { method: "POST", headers: bearer(token) }
  expect((await fetch(agent.url.replace("ws:", "http:").replace("/ws", "/api"), whole)).status).toBe(404)
  expect(JSON.stringify([process.env, process.argv, ui.heard])).not.toContain(token)
  expect(ui.frames().map(({ kind }) => kind)).not.toContain("debug")
})

test("an agent has the token it is given, or none; one that no header can carry is refused", async () => {
  expect(await knock((await start({ token: "of-mine" })).agent.url, bearer("of-mine"))).toBe(101)
  const open = await start({ token: null })
  expect(open.agent.token).toBeNull()
  expect(await knock(open.agent.url, {})).toBe(101)
  for (const token of ["", "a b", "é", "a\nb"])
    await expect(createAgent({ chart: "c", token })).rejects.toThrow(/printable/)
})
