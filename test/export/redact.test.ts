// Tests what counts as a secret, and that no text makes the search slow. All keys here are made up.
import { describe, expect, test } from "bun:test"
import { Redactor } from "../../src/export/redact.ts"
import { HARMLESS, SECRETS } from "./secrets.ts"

const redact = (text: string): string => new Redactor().text(text)
const line = (text: string): string => new Redactor().line(text)

const K = "[redacted API key]"
const T = "[redacted token]"
const P = "[redacted password]"

/** Made-up characters of a key. */
const HEX = "0123456789abcdef".repeat(8)
const MIXED = "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8cF0".repeat(5)

const X = "h4nter-two"

const CASES: readonly (readonly [before: string, after: string])[] = [
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
  ["Bearer eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0~dXJl", `Bearer ${T}`],
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
  [`DB_PASS=${X}`, `DB_PASS=${P}`],
  [`DB_PASS='${X}'`, `DB_PASS='${P}'`],
  [`{"pass":"${X}","db_pass": "${X}"}`, `{"pass":"${P}","db_pass": "${P}"}`],
  [`{:db-pass "${X}" :pass "${X}"}`, `{:db-pass "${P}" :pass "${P}"}`],
  ["STRIPE_KEY=abcdefgh12345678", `STRIPE_KEY=${K}`],
  [`app --password ${X} run`, `app --password ${P} run`],
  [`app --db-password=${X}`, `app --db-password=${P}`],
  [`curl -s -u ann:${X} https://x.test`, `curl -s -u ann:${P} https://x.test`],
  [`mysql -h db -u root -p${X} shop`, `mysql -h db -u root -p${P} shop`],
  [`sshpass -p ${X} ssh ann@x.test`, `sshpass -p ${P} ssh ann@x.test`],
  [`machine x.test login ann password ${X}`, `machine x.test login ann password ${P}`],
  [`machine x.test\n  login ann\n  password ${X}\n`, `machine x.test\n  login ann\n  password ${P}\n`],
  [`db.test:5432:shop:ann:${X}\n`, `db.test:5432:shop:ann:${P}\n`],
  ["//npm.test/:_auth=YW5uOmgwbnRlcg==", `//npm.test/:_auth=${T}`],
  ['{"auths":{"x.test":{"auth":"YW5uOmgwbnRlcg=="}}}', `{"auths":{"x.test":{"auth":"${T}"}}}`],
  [`https://x.test/b?sv=1&sig=${MIXED.slice(0, 43)}%3D`, `https://x.test/b?sv=1&sig=${K}`],
  [
    `https://discord.com/api/webhooks/123456789012345678/${MIXED.slice(0, 68)}`,
    `https://discord.com/api/webhooks/123456789012345678/${K}`,
  ],
  [
    `https://x.webhook.office.com/webhookb2/${HEX.slice(0, 36)}/IncomingWebhook/${HEX.slice(0, 32)}/a`,
    `https://x.webhook.office.com/webhookb2/${K}`,
  ],
  [`root:$6$saltsalt$${MIXED.slice(0, 86)}:19000:0`, `root:${P}:19000:0`],
  [`ann:$apr1$saltsalt$${MIXED.slice(0, 22)}`, `ann:${P}`],
  [`ann:$2y$10$${MIXED.slice(0, 53)}`, `ann:${P}`],
  ["ann:{SHA}0123456789abcdefghijABCDEFG=", `ann:${P}`],
  [
    "a\nPuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAA\nPrivate-MAC: 0123ab\nb",
    "a\n[redacted private key]\nb",
  ],
  [`wif ${"5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"} end`, "wif [redacted private key] end"],
  [String.raw`{\\\"password\\\":\\\"${X}\\\"}`, String.raw`{\\\"password\\\":\\\"${P}\\\"}`],
  [String.raw`{:content "{\"api_key\":\"${X}\"}"}`, String.raw`{:content "{\"api_key\":\"${P}\"}"}`],
  [
    String.raw`{:content "{\"in\":\"{\\\"api_key\\\":\\\"${X}\\\"}\"}"}`,
    String.raw`{:content "{\"in\":\"{\\\"api_key\\\":\\\"${P}\\\"}\"}"}`,
  ],
]
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

test.each([
  ...HARMLESS,
  "OLDPWD=/srv\nPWD=/srv/app\nHOME=/root",
  "pip install sk-learn-contrib-imbalanced",
  "http://localhost:3000@latest and npx http://x.test:8080@next",
  'All tests pass: 12 of 12, first pass = 3.5 s, they pass "quickly"',
  "PRIMARY_KEY=id PUBLIC_KEY=abcdefgh12345678 SORT_KEY: created-at",
  "--password prompts for one, --token TOKEN",
  "src/main.ts:12:5:error:broken and 10:15:5432:a",
  "docker run -u 1000:1000 x; curl -u ann x; mysql -p shop",
  '{"cookie":"of the day","pwd":"/srv/app","auth":"required"}',
  "a $HOME/$USER/$x costs $5 or $6",
  "task-1234567890abcdefghij and risk-assessment-of-the-year",
  "https://example.com/a:b@c and http://localhost:3737/ws",
  "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
  '{"api_key": ""} {"password": null}',
  "keyboard, monkey, tokenizer, secretary",
])("redaction keeps %s", text => expect(redact(text)).toBe(text))

test("redaction can't tell a lone word, or a key without prefix and name, from prose", () => {
  for (const text of [
    "the password is swordfish",
    "password: swordfish",
    "pass swordfish",
    `use ${MIXED.slice(0, 24)}`,
  ]) {
    expect(redact(text)).toBe(text)
  }
})

describe("redaction of a JSON line", () => {
  test("removes a text whose key names a secret, and nothing else", () => {
    const before = '{ "n":1.50, "big":12345678901234567890,"password" : "aé\\"b","z":[1e400,"x"], "Api-Key":"q" }'
    const after = `{ "n":1.50, "big":12345678901234567890,"password" : "${P}","z":[1e400,"x"], "Api-Key":"${P}" }`
    expect(line(before)).toBe(after)
  })
  test("keeps keys, lists and objects under such a key, and placeholders", () => {
    const kept =
      '{"password":{"type":"string"},"secret":["a"],"token":"$TOKEN","tokens":"7","pwd":"/srv/app","cookie":"of the day","sk-0123456789abcdefgh":1}'
    expect(line(kept)).toBe(kept)
  })
  test("removes secrets inside its texts, however they are escaped", () => {
    expect(line('{"text":"{\\"password\\":\\"x\\\\y\\"}\\n"}')).toBe(`{"text":"{\\"password\\":\\"${P}\\"}\\n"}`)
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
