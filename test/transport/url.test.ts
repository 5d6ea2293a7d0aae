// Tests what an error of an agent's URL never shows.
import { expect, test } from "bun:test"
import { checkUrl } from "../../src/transport/url.ts"

test("an invalid URL has an error that does not repeat its password, and names one that is empty", () => {
  expect(checkUrl("ws://me:secret@127.0.0.1/", { allowRemote: true })).not.toContain("secret")
  expect(checkUrl("", { allowRemote: true })).toEndWith("got nothing")
})

test("an invalid URL has an error that is one line and can't control the terminal", () => {
  const error = checkUrl("\u001b]0;x\u0007\n\u001b[2J", { allowRemote: false })
  expect(error).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
})
