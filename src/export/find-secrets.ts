// Finds likely secrets in a text: keys of known formats, tokens, passwords, private keys.

export type SecretKind = "private key" | "API key" | "token" | "password"

/** Position of a secret in a text, in UTF-16 units; `to` is exclusive. */
interface Secret {
  readonly from: number
  readonly to: number
  readonly kind: SecretKind
}

/** A pattern and the group that is the secret; 0 for the whole match. */
type Rule = readonly [kind: SecretKind, shape: RegExp, group: 0 | 1]

/** Every pattern needs one of these, so most texts are ruled out quickly. */
const HINT =
  /sk-|[srp]k_|whsec_|A[KS]IA|AIza|ya29|GOCSPX|gh[pousr]_|github_pat_|glpat|xox|xapp-|hooks\.slack|npm_|hf_|gsk_|xai-|dop_v1|SG\.|pypi-|AGE-SECRET|eyJ|PRIVATE KEY|:\/\/|bearer|basic|passw|passphrase|pwd|secret|token|key|credential|authorization|cookie/i

/** Names whose value is a secret, in any spelling: `DB_PASSWORD`, `apiKey`, `client-secret`. */
const NAME =
  "(?:passw(?:or)?d|passphrase|pwd|secret|api[-_ ]?key|(?:access|private|secret|account|signing|encryption)[-_ ]?key(?:[-_ ]?id)?|(?:auth|access|refresh|bearer|session|id|api)[-_ ]?token|credentials?)"

/** Takes linear time: a pattern never begins inside a run of its own characters, unless its length is bounded. */
const RULES: readonly Rule[] = [
  [
    "private key",
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    0,
  ],
  ["private key", /(?<![A-Z0-9-])AGE-SECRET-KEY-1[A-Z0-9]{50,}/g, 0],
  ["API key", /(?<![\w-])sk-[\w-]{16,}/g, 0],
  ["API key", /(?<![\w-])(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{10,}/g, 0],
  ["API key", /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/g, 0],
  ["API key", /(?<![\w-])(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g, 0],
  ["API key", /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,}|glpat-[\w-]{20,})/g, 0],
  ["API key", /(?<![\w-])(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})/g, 0],
  ["API key", /hooks\.slack\.com\/services\/([\w/]{20,})/g, 1],
  ["API key", /(?<![\w-])(?:npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,})/g, 0],
  ["API key", /(?<![\w-])(?:dop_v1_[a-f0-9]{64}|pypi-[\w-]{50,}|SG\.[\w-]{16,}\.[\w-]{16,})/g, 0],
  ["token", /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, 0],
  ["token", /(?<![\w-])bearer\s{1,4}((?=[\w.~+/-]{0,64}\d)[\w.~+/-]{8,}=*|[\w.~+/-]{20,}=*)/gi, 1],
  ["token", /authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:basic|bearer|token)\s{1,4}([\w.~+/-]{4,}=*)/gi, 1],
  ["token", /(?<![\w-])(?:set-)?cookie\\?["']?\s{0,4}:\s{0,4}\\?["']?([^\s"'\\][^\r\n"'\\]{3,2000})/gi, 1],
  ["password", /:\/\/[^\s/:@"'<>]{0,100}:([^\s/@"'<>]{1,200})@/g, 1],
  // A name with a quoted value: JSON, EDN (`:password "…"`), code.
  ["password", new RegExp(`${NAME}\\\\?["']?(?:\\s{0,4}(?::|=>?)\\s{0,4}|\\s{1,4})\\\\?"([^"\\\\]{1,2000})`, "gi"), 1],
  ["password", new RegExp(`${NAME}\\\\?["']?\\s{0,4}(?::|=>?)\\s{0,4}\\\\?'([^'\\\\]{1,2000})`, "gi"), 1],
  // A bare value: `PASSWORD=…` as in a shell or an .env file. After a colon prose may follow, so the value must not be
  // a word.
  ["password", new RegExp(`${NAME}\\s{0,2}=\\s{0,2}([^\\s"'\`,;&<>(){}\\[\\]\\\\]{4,2000})`, "gi"), 1],
  [
    "password",
    new RegExp(`${NAME}\\s{0,2}:\\s{0,2}(?=[^\\s]{0,64}[\\d!@#$%^*+=_-])([^\\s"'\`,;&<>(){}\\[\\]\\\\]{6,2000})`, "gi"),
    1,
  ],
  ["token", /(?<![A-Za-z])token\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?=[\w.~+/-]{0,64}\d)([\w.~+/-]{12,2000})/gi, 1],
]

/** Placeholders for a value: a variable, an example, or our own mark. */
const PLACEHOLDER =
  /^(?:\$|%|<|\{\{|\*+$|x{3,}$|\.{3}|…|\[redacted|process\.env|os\.environ|(?:true|false|null|nil|none|undefined|string|text|required|optional)$)/i

/** JSON keys whose value is a secret. */
const SECRET_NAME = new RegExp(`(?:${NAME}|^(?:token|authorization|(?:set-)?cookie))$`, "i")

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** True for a placeholder: `$PASSWORD`, `<your key>`, `***`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}

/** False for a text that can't contain a secret; fast. */
export function mayHoldSecret(text: string): boolean {
  return HINT.test(text)
}

/** The likely secrets of a text, in order and without overlaps. */
export function secretsIn(text: string): readonly Secret[] {
  if (!mayHoldSecret(text)) return []
  const found = RULES.flatMap(([kind, shape, group]) =>
    [...text.matchAll(shape)].flatMap(match => secretOf(match, kind, group)),
  )
  const secrets: Secret[] = []
  for (const one of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.from >= (secrets.at(-1)?.to ?? 0)) secrets.push(one)
  }
  return secrets
}

function secretOf(match: RegExpMatchArray, kind: SecretKind, group: 0 | 1): readonly Secret[] {
  const value = match[group] ?? ""
  if (value === "" || isPlaceholder(value)) return []
  // If the pattern includes a name, its value is at the end of the match, except for an `@`.
  const from = (match.index ?? 0) + (group === 0 ? 0 : match[0].lastIndexOf(value))
  return [{ from, to: from + value.length, kind }]
}
