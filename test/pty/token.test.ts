// Tests what a person sees of an agent that asks for a token, and that nothing which the screen starts gets the token.
import { expect, test } from "bun:test"
import { root } from "../fixtures.ts"
import { openSidecar, spawned } from "./sidecar.ts"
import { cleanEnvironment } from "./terminal.ts"

const WORDS = "the agent asks for its token (HTTP 401): set OPENTUI_WS_TOKEN to it"

/** Answers with 401 whatever comes. */
function refusing(): { readonly port: string } & Disposable {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("no", { status: 401 }) })
  return { port: String(server.port), [Symbol.dispose]: () => void server.stop(true) }
}

/** The words may be wrapped. */
const says = (rows: readonly string[]): boolean => {
  const text = rows.join("\n")
  return text.includes("the agent asks for its") && text.includes("OPENTUI_WS_TOKEN")
}

test("an agent that asks for a token is told on the screen, in home and in plain lines, with what to set", async () => {
  using agent = refusing()
  const url = `ws://127.0.0.1:${agent.port}/ws`
  await using screen = await openSidecar({ cmd: [...spawned, "attach", url] })
  await screen.waitFor(says)
  await using home = await openSidecar({ cmd: [...spawned, "sessions"], env: { OPENTUI_WS_PORT: agent.port } })
  await home.waitFor(says)
  const env = { ...cleanEnvironment(root), OPENTUI_WS_URL: url }
  await using plain = Bun.spawn([...spawned, "--plain"], { cwd: root, env, stdio: ["pipe", "pipe", "ignore"] })
  let text = ""
  for await (const piece of plain.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes("HTTP 401")) plain.kill()
  }
  expect(text).toContain(`disconnected, ${WORDS}`)
})

test("a command that the screen starts has no token in its environment", async () => {
  const env = { ...cleanEnvironment(root), OPENTUI_WS_TOKEN: "s3cret-of-the-agent" }
  const cmd = [...spawned, "run", "--plain", "--no-keep", "--", "sh", "-c", "echo got:$OPENTUI_WS_TOKEN:"]
  const child = Bun.spawn(cmd, { cwd: root, env, stdio: ["ignore", "pipe", "ignore"] })
  expect(await child.stdout.text()).toContain("got::")
  expect(await child.exited).toBe(0)
})
