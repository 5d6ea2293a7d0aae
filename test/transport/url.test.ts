// Tests which URLs of an agent are valid.
import { describe, expect, test } from "bun:test"
import { checkUrl, urlWarning } from "../../src/transport/url.ts"

describe("a URL on this machine", () => {
  const good = [
    "ws://127.0.0.1:3737/ws",
    "wss://127.255.0.9/",
    "ws://[::1]:1/ws",
    "ws://localhost:3737/ws?a=b",
    "ws://LOCALHOST/",
    "ws://127.1/",
    "ws://2130706433/",
  ]
  test.each(good)("%s is valid", url => {
    expect(checkUrl(url, { allowRemote: false })).toBeNull()
  })
})

describe("a URL elsewhere", () => {
  const remote = [
    "ws://192.168.0.2:3737/ws",
    "ws://agent.example/ws",
    "ws://127.0.0.1.example/",
    "ws://localhost.example/",
    "ws://0.0.0.0/",
    "ws://[::]/",
    "ws://[::ffff:8.8.8.8]/",
  ]
  test.each(remote)("%s is valid only if remote agents are allowed", url => {
    expect(checkUrl(url, { allowRemote: false })).toContain("not on this machine")
    expect(checkUrl(url, { allowRemote: true })).toBeNull()
  })
})

test("only an unencrypted URL elsewhere has a warning", () => {
  expect(urlWarning("ws://agent.example:3737/ws", true)).toStartWith("The connection to agent.example isn't encrypted")
  expect(urlWarning("ws://192.168.0.2/", true)).toContain("Use wss://")
  for (const url of ["wss://agent.example/", "ws://127.0.0.1:1/", "ws://localhost/", "ws://[::1]/"]) {
    expect(urlWarning(url, true)).toBeNull()
  }
})

describe("an invalid URL", () => {
  const bad: [string, string][] = [
    ["", "expected a ws"],
    ["nonsense", "expected a ws"],
    ["ws://", "expected a ws"],
    ["ws://127.0.0.1:99999/", "expected a ws"],
    ["http://127.0.0.1/", "expected a ws"],
    ["file:///etc/passwd", "expected a ws"],
    ["ws://me:secret@127.0.0.1/", "password"],
    ["ws://127.0.0.1/ws#here", "# part"],
  ]
  test.each(bad)("%s: %s", (url, error) => {
    expect(checkUrl(url, { allowRemote: true })).toContain(error)
  })

  test("has an error that does not repeat its password", () => {
    expect(checkUrl("ws://me:secret@127.0.0.1/", { allowRemote: true })).not.toContain("secret")
  })

  test("has an error that is one line and can't control the terminal", () => {
    const error = checkUrl("\u001b]0;x\u0007\n\u001b[2J", { allowRemote: false })
    expect(error).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })
})
