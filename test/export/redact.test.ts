// Tests what counts as a secret, and that no text makes the search slow. All keys here are made up.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { endOfString } from "../../src/export/json-text.ts"
import { Redactor } from "../../src/export/redact.ts"
import { root } from "../fixtures.ts"
import { HARMLESS, SECRETS } from "./secrets.ts"

const redact = (text: string): string => new Redactor().text(text)
const line = (text: string): string => new Redactor().line(text)

const K = "[redacted API key]"
const P = "[redacted password]"

/** A line end is written as `⏎`; `·` keeps a made-up key from being taken for a real one. */
const told = (await Bun.file(join(root, "fixtures/scripts/redacted.txt")).text()).trimEnd().split("\n")
const pairs = told.map(one => one.replaceAll("⏎", "\n").replaceAll("·", "").split(" ⇒ "))
const CASES = pairs.flatMap(([before = "", after]) => (after === undefined ? [] : [[before, after] as const]))
const KEPT = pairs.flatMap(([text = "", after]) => (after === undefined ? [text] : []))

test.each(CASES)("redaction removes, in texts, files, commands and addresses, %s", (text, redacted) => {
  expect(redact(text)).toBe(redacted)
  expect(redact(redacted)).toBe(redacted)
  expect(JSON.parse(line(JSON.stringify({ text }))).text).toBe(redacted)
})

test.each(SECRETS.filter(({ text }) => text.endsWith(" now")))("redaction removes the key of $name", ({ text }) => {
  expect(redact(text)).toMatch(/^use \[redacted [^\]]+\] now$/)
  const [, key = ""] = text.split(" ")
  expect(line(JSON.stringify({ text: JSON.stringify({ at: key }) }))).not.toContain(key)
})

// Among them are a lone word, and a key without prefix and name, which nobody can tell from prose.
test.each([...HARMLESS, ...KEPT])("redaction keeps %s", text => expect(redact(text)).toBe(text))

describe("redaction of a JSON line", () => {
  test("removes a text whose key names a secret, and nothing else", () => {
    const before = '{ "n":1.50, "big":12345678901234567890,"password" : "aé\\"b","z":[{"pwd":"q"},"x"], "Api-Key":"q" }'
    const after = `{ "n":1.50, "big":12345678901234567890,"password" : "${P}","z":[{"pwd":"${P}"},"x"], "Api-Key":"${P}" }`
    expect(line(before)).toBe(after)
  })
  test("keeps keys, lists and objects under such a key, and placeholders", () => {
    const kept =
      '{"password":{"type":"string"},"secret":["a"],"token":"$TOKEN","tokens":"7","pwd":"/srv/app","cookie":"of the day","Set-Cookie":"of the day","api_key":"","userPwd":"~/x","sk-0123456789abcdefgh":1}'
    expect(line(kept)).toBe(kept)
  })
  test("removes secrets inside its texts, however they are escaped", () => {
    expect(line('{"text":"{\\"password\\":\\"x\\\\y\\"}\\n"}')).toBe(`{"text":"{\\"password\\":\\"${P}\\"}\\n"}`)
    expect(line('{"text":"ftp:\\/\\/u:hunter2@x\\/y"}')).toBe(`{"text":"ftp://u:${P}@x/y"}`)
    expect(line('{"text":"a\\u0026sig=0123456789abcdefghijk"}')).toBe(`{"text":"a&sig=${K}"}`)
  })
  test("reads an incomplete line as text", () => {
    const texts = ['"a\\\\"b', '"a\\"b"', '"a', '"a\\"', '"\\\\\\\\"b"']
    expect(texts.map(text => endOfString(text, 0))).toEqual([4, 5, 2, 4, 5])
    expect(line('{"text":"sk-0123456789abcdefgh')).toBe(`{"text":"${K}`)
  })
})

test("redaction counts what it removed by kind", () => {
  const redactor = new Redactor()
  expect(redactor.words()).toBeNull()
  redactor.text("sk-0123456789abcdefgh sk-0123456789abcdefgi")
  redactor.text("password=hunter2 password=hunter2")
  expect(redactor.words()).toBe("redacted 3 likely secrets: 2 API keys, 1 password")
})

// Each of these would cost a search that begins anew at every place minutes; a test that hangs fails by itself.
const NEAR = (await Bun.file(join(root, "fixtures/scripts/near-secrets.txt")).text()).trimEnd().split("\n")
test.each(NEAR)("redaction of a megabyte of near-secrets is linear: %s", told => {
  // `{9}` repeats what follows it, and `·` is a space.
  const text = told.replaceAll("·", " ").replace(/\{(\d+)\}(.*)/, (_, count, unit) => unit.repeat(count))
  expect(text.length).toBeGreaterThan(700_000)
  expect(redact(text).length).toBeGreaterThan(0)
  expect(line(JSON.stringify({ token: [text] })).length).toBeGreaterThan(0)
})
