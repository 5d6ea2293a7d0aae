import { describe, expect, test } from "bun:test"
import { checkUrl, urlWarning } from "../../src/transport/url.ts"

describe("on this machine", () => {
  const good = [
    "ws://127.0.0.1:3737/ws",
    "wss://127.255.0.9/",
    "ws://[::1]:1/ws",
    "ws://localhost:3737/ws?a=b",
    "ws://LOCALHOST/",
    "ws://127.1/",
    "ws://2130706433/",
  ]
  test.each(good)("%s will do", url => {
    expect(checkUrl(url, { allowRemote: false })).toBeNull()
  })
})

describe("elsewhere", () => {
  const remote = [
    "ws://192.168.0.2:3737/ws",
    "ws://agent.example/ws",
    "ws://127.0.0.1.example/",
    "ws://localhost.example/",
    "ws://0.0.0.0/",
    "ws://[::]/",
    "ws://[::ffff:8.8.8.8]/",
  ]
  test.each(remote)("%s will do only where remote agents are allowed", url => {
    expect(checkUrl(url, { allowRemote: false })).toContain("not on this machine")
    expect(checkUrl(url, { allowRemote: true })).toBeNull()
  })
})

test("a warning stands at an address elsewhere that is not encrypted, and at no other", () => {
  expect(urlWarning("ws://agent.example:3737/ws")).toStartWith("agent.example is reached by ws://")
  expect(urlWarning("ws://192.168.0.2/")).toContain("wss:// is safe")
  for (const url of ["wss://agent.example/", "ws://127.0.0.1:1/", "ws://localhost/", "ws://[::1]/"]) {
    expect(urlWarning(url)).toBeNull()
  }
})

describe("never", () => {
  const bad: [string, string][] = [
    ["", "not a URL"],
    ["nonsense", "not a URL"],
    ["ws://", "not a URL"],
    ["ws://127.0.0.1:99999/", "not a URL"],
    ["http://127.0.0.1/", "not a WebSocket address"],
    ["file:///etc/passwd", "not a WebSocket address"],
    ["ws://me:secret@127.0.0.1/", "password"],
    ["ws://127.0.0.1/ws#here", "no # part"],
  ]
  test.each(bad)("%s: %s", (url, complaint) => {
    expect(checkUrl(url, { allowRemote: true })).toContain(complaint)
  })

  test("does a complaint repeat a password", () => {
    expect(checkUrl("ws://me:secret@127.0.0.1/", { allowRemote: true })).not.toContain("secret")
  })

  test("does a complaint carry what could steer the terminal, or more than one line", () => {
    const complaint = checkUrl("\u001b]0;x\u0007\n\u001b[2J", { allowRemote: false })
    expect(complaint).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })
})
