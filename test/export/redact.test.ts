// Tests what counts as a secret, and that no text makes the search slow. All keys here are made up.
import { describe, expect, test } from "bun:test"
import { Redactor } from "../../src/export/redact.ts"

const redact = (text: string): string => new Redactor().text(text)
const line = (text: string): string => new Redactor().line(text)

const K = "[redacted API key]"
const T = "[redacted token]"
const P = "[redacted password]"

describe("redaction removes", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["use sk-ant-api03-AbCdEfGhIjKlMnOpQrSt, now", `use ${K}, now`],
    ["OPENAI sk-proj-0123456789abcdefABCDEF.", `OPENAI ${K}.`],
    [`stripe ${"sk_live"}_0123456789abcdef`, `stripe ${K}`],
    ["AKIAIOSFODNN7EXAMPLE", K],
    [`g ${"AIza"}SyA0123456789abcdefghijklmnopqrstuv`, `g ${K}`],
    ["ghp_0123456789abcdefghijABCDEFGHIJklmnop", K],
    ["github_pat_11ABCDEFG0123456789_abcdefghij", K],
    ["glpat-0123456789abcdefghij", K],
    [`${"xoxb"}-0123456789-abcdefghij`, K],
    ["npm_0123456789abcdefghijABCDEFGHIJklmnop", K],
    ["hf_0123456789abcdefghijABCDEFGHIJ", K],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl end", `${T} end`],
    ["curl -H 'Authorization: Bearer abc123def456' x", `curl -H 'Authorization: Bearer ${T}' x`],
    ["Authorization: Basic dXNlcjpwYXNz", `Authorization: Basic ${T}`],
    ["Cookie: sid=0123456789; theme=dark", `Cookie: ${T}`],
    ["postgres://app:hunter2@db.local/x", `postgres://app:${P}@db.local/x`],
    ["DB_PASSWORD=hunter2\nDB_HOST=x", `DB_PASSWORD=${P}\nDB_HOST=x`],
    ['{"password": "hunter2", "user": "ann"}', `{"password": "${P}", "user": "ann"}`],
    ['{\\"api_key\\":\\"zzz\\"}', `{\\"api_key\\":\\"${P}\\"}`],
    ['{:password "hunter2" :user "ann"}', `{:password "${P}" :user "ann"}`],
    ["client_secret: 's3cr3t'", `client_secret: '${P}'`],
    ["password: hunter2!", `password: ${P}`],
    ["token=0123456789abcdef", `token=${T}`],
    ["a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\nb", "a\n[redacted private key]\nb"],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk and no end", "[redacted private key]"],
  ]
  test.each(cases)("%s", (text, redacted) => {
    expect(redact(text)).toBe(redacted)
    expect(redact(redacted)).toBe(redacted)
  })
})

describe("redaction keeps", () => {
  test.each([
    "The password: ask the admin for it.",
    "Bearer authentication is described in RFC 6750.",
    "output-tokens: 120, max_tokens=4096",
    "task-1234567890abcdefghij and risk-assessment-of-the-year",
    "password=$DB_PASSWORD, token=<your token>, secret: ********",
    "https://example.com/a:b@c and http://localhost:3737/ws",
    "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
    '{"api_key": ""} {"password": null}',
    "keyboard, monkey, tokenizer, secretary",
  ])("%s", text => expect(redact(text)).toBe(text))
})

describe("redaction of a JSON line", () => {
  test("removes a text whose key names a secret, and nothing else", () => {
    const before = '{ "n":1.50, "big":12345678901234567890,"password" : "aé\\"b","z":[1e400,"x"], "Api-Key":"q" }'
    const after = `{ "n":1.50, "big":12345678901234567890,"password" : "${P}","z":[1e400,"x"], "Api-Key":"${P}" }`
    expect(line(before)).toBe(after)
  })
  test("keeps keys, lists and objects under such a key, and placeholders", () => {
    const kept = '{"password":{"type":"string"},"secret":["a"],"token":"$TOKEN","tokens":"7","sk-0123456789abcdefgh":1}'
    expect(line(kept)).toBe(kept)
  })
  test("removes secrets inside its texts, however they are escaped", () => {
    expect(line('{"text":"{\\"password\\":\\"x\\\\y\\"}\\n"}')).toBe(`{"text":"{\\"password\\":\\"${P}\\\\y\\"}\\n"}`)
  })
  test("reads an incomplete line as text", () => {
    expect(line('{"text":"sk-0123456789abcdefgh')).toBe(`{"text":"${K}`)
  })
})

test("redaction counts what it removed by kind", () => {
  const redactor = new Redactor()
  expect(redactor.words()).toBeNull()
  redactor.text("sk-0123456789abcdefgh sk-0123456789abcdefgi")
  redactor.text("password=hunter2")
  expect(redactor.words()).toBe("redacted 3 likely secrets: 2 API keys, 1 password")
})

// Each of these would cost a search that begins anew at every place minutes; a test that hangs fails by itself.
test.each([
  "eyJ".repeat(300_000),
  "eyJaaaaaaaa.".repeat(80_000),
  "-----BEGIN PRIVATE KEY-----".repeat(40_000),
  "sk-".repeat(300_000),
  "password ".repeat(100_000),
  "password=".repeat(100_000),
  `://${"a:".repeat(400_000)}`,
  `bearer ${".".repeat(900_000)}`,
  "bearer ".repeat(140_000),
  "cookie: ".repeat(100_000),
  `"${"\\".repeat(900_000)}`,
])("redaction of a megabyte of near-secrets is linear (%#)", text => {
  expect(redact(text).length).toBeGreaterThan(0)
  expect(line(JSON.stringify({ token: [text] })).length).toBeGreaterThan(0)
})
