// Finds likely secrets in a text: keys of known formats, tokens, passwords, private keys.

export type SecretKind = "private key" | "API key" | "token" | "password"

/** Position of a secret in a text, in UTF-16 units; `to` is exclusive. */
interface Secret {
  readonly from: number
  readonly to: number
  readonly kind: SecretKind
}

/** The secret is what the pattern's group matches, or without a group the whole match. */
type Rule = readonly [kind: SecretKind, shape: RegExp]

/** A prefix as a pattern, and the pattern of the characters after it. Both are case-sensitive. */
type Shape = readonly [prefix: string, rest: string]

/** Mostly as in the rules of gitleaks (MIT, docs/trust.md); lengths are lower bounds, since services change them. */
const KEY_SHAPES: readonly Shape[] = [
  ["sk-", "(?=[\\w-]{0,80}[A-Z\\d])[\\w-]{16,}"],
  ["(?:[sr]k_(?:live|test)|whsec)_", "[A-Za-z0-9]{10,}"],
  ["AIza", "[\\w-]{35}"],
  ["ya29\\.|GOCSPX-|1//0", "[\\w-]{20,}"],
  ["gh[pousr]_", "[A-Za-z0-9]{30,}"],
  ["github_pat_", "\\w{22,}"],
  ["gl(?:pat|rt|cbt|dt|ft|ffct|imt|agent|oas|ptt|soat)-", "[\\w.-]{20,}"],
  ["xox[abeoprs]-|xapp-", "[A-Za-z0-9-]{10,}"],
  ["npm_", "[A-Za-z0-9]{36}"],
  ["hf_|r8_", "[A-Za-z0-9]{30,}"],
  ["gsk_|xai-|pplx-|ntn_", "[A-Za-z0-9]{40,}"],
  ["nvapi-", "[\\w-]{40,}"],
  ["tvly-", "(?=[\\w-]{0,40}\\d)[\\w-]{16,}"],
  ["fw_", "(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{20,}"],
  ["lsv2_(?:pt|sk)_|ls__", "[a-f0-9]{32}\\w*"],
  ["dop_v1_", "[a-f0-9]{64}"],
  ["pypi-", "[\\w-]{50,}"],
  ["SG\\.", "[\\w-]{16,}\\.[\\w-]{16,}"],
  ["dckr_(?:pat|oat)_|figd_|sb_secret_|vercel_blob_rw_", "[\\w-]{20,}"],
  ["sbp_(?:v0_)?", "[a-f0-9]{40}"],
  ["vc[pciark]_", "[A-Za-z0-9]{24,}"],
  ["shp(?:at|ca|pa|ss)_", "[a-fA-F0-9]{32}"],
  ["dapi", "[a-f0-9]{32}(?:-\\d)?"],
  ["hvs\\.|hvb\\.|hvr\\.", "[\\w-]{24,}"],
  ["[A-Za-z0-9]{14}\\.atlasv1\\.", "[\\w=-]{40,}"],
  ["glsa_", "\\w{32,}"],
  ["glc_|sntrys_|fm1[ar]_|fm2_", "[\\w+/.-]{32,}={0,3}"],
  ["fo1_", "[\\w-]{40,}"],
  ["sntryu_", "[a-f0-9]{64}"],
  ["NR(?:AK|II|JS|RA)-", "[A-Za-z0-9-]{19,}"],
  ["pat[A-Za-z0-9]{14}\\.", "[a-f0-9]{64}"],
  ["ATATT3|ATCTT3|ATBB", "[\\w=-]{24,}"],
  ["pscale_(?:tkn|oauth|pw)_", "[\\w=.-]{24,}"],
  ["lin_(?:api|oauth)_", "[A-Za-z0-9]{32,}"],
  ["secret_", "(?=[A-Za-z]{0,42}\\d)[A-Za-z0-9]{43}(?![\\w-])"],
  ["SK|key-", "[a-f0-9]{32}(?![\\w-])"],
  ["rubygems_|rdme_|shippo_(?:live|test)_", "[a-z0-9]{40,}"],
  ["pul-|PMAK-|xkeysib-", "[a-f0-9]{24,}[a-z0-9-]*"],
  ["sq0atp-|sgp_|pnu_|duffel_(?:live|test)_", "[\\w-]{22,}"],
  ["sha256~", "[\\w-]{43}"],
  ["dt0c01\\.", "[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}"],
]

/** Names whose value is a secret, in any spelling: `DB_PASSWORD`, `apiKey`, `client-secret`. `PWD` may be a folder. */
const NAME =
  "(?:passw(?:or)?d|passphrase|pwd(?!\\\\{0,32}[\"']?\\s{0,4}[:=]\\s{0,4}\\\\{0,32}[\"']?[/~.])|secret|api[-_ ]?key|(?:access|private|secret|account|signing|encryption)[-_ ]?key(?:[-_ ]?id)?|(?:auth|access|refresh|bearer|session|id|api)[-_ ]?token|credentials?)"
/** Ends a name and begins its value: JSON may be escaped several times. */
const NAME_END = "\\\\{0,32}[\"']?"
/** The text of a quoted value, up to the quote, however often it is escaped. */
const QUOTED = '((?:[^"\\\\]|\\\\{1,32}[^"\\\\]){1,2000})'
/** A bare value. A call is code, not a value. */
const BARE = "(?![\\w.$]{1,200}\\()([^\\s\"'`,;&<>(){}\\[\\]\\\\]{4,2000})"
/** At least one character that few words have. */
const ODD = "(?=[^\\s]{0,64}[\\d!@#$%^*+=])"

/** Keys that are known by their shape alone. None begins inside a word. */
const KEYS = KEY_SHAPES.map(([prefix, rest]) => `(?:${prefix})${rest}`).join("|")

/** Every pattern needs one of these, so most texts are ruled out quickly. */
const HINT = new RegExp(
  [
    ...KEY_SHAPES.map(([prefix]) => prefix.replace(/^\[A-Za-z0-9\]\{14\}/, "")),
    "[Aa][KkSs][Ii][Aa]|hooks\\.slack|discord|webhook|AGE-SECRET|eyJ|PRIVATE KEY|PuTTY|:\\\\{0,32}\\/|Q~|:AA|[?&6]sig=",
    "\\$[\\w-]{1,14}\\$|\\{SS?HA|:(?:5\\d{3}|6543|\\*):|curl|mysql|mariadb|redis-cli|[5KL][1-9A-HJ-NP-Za-km-z]{50}",
    "_KEY|[Bb]earer|BEARER|[Bb]asic|[Pp]ass|PASS|[Pp]wd|PWD|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]ey|KEY",
    "[Cc]redential|CREDENTIAL|[Aa]uth|AUTH|[Cc]ookie|COOKIE",
  ].join("|"),
)

function rulesOf(kind: SecretKind, shapes: readonly RegExp[]): readonly Rule[] {
  return shapes.map(shape => [kind, shape])
}

/** Takes linear time: a pattern never begins inside a run of its own characters, unless its length is bounded. */
const RULES: readonly Rule[] = [
  ...rulesOf("private key", [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    /PuTTY-User-Key-File-\d[\s\S]*?(?:Private-(?:MAC|Hash):\s{0,4}[0-9a-f]{1,128}|$)/g,
    /(?<![A-Z0-9-])AGE-SECRET-KEY-1[A-Z0-9]{50,}/g,
    /(?<![\w+/-])(?:5[HJK]|[KL][1-5])[1-9A-HJ-NP-Za-km-z]{49,50}(?![\w+/=-])/g,
  ]),
  ...rulesOf("API key", [
    new RegExp(`(?<![\\w-])(?:${KEYS})`, "g"),
    /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    // JSON within a text may escape characters: `\/` in an address, `\u0026` for `&`.
    /hooks\.slack\.com\\{0,32}\/(?:services|workflows|triggers)\\{0,32}\/((?:\w|\\{0,32}\/){20,})/g,
    /discord(?:app)?\.com\\{0,32}\/api\\{0,32}\/(?:v\d{1,2}\\{0,32}\/)?webhooks\\{0,32}\/\d{5,25}\\{0,32}\/([\w-]{30,})/g,
    /webhook\.office\.com\\{0,32}\/webhookb2\\{0,32}\/((?:[^\s"'<>\\]|\\{1,32}\/){30,})/g,
    /(?<![\w~.])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g,
    /(?<!\d)\d{6,12}:AA[\w-]{32,}/g,
    /(?:[?&]|\\u0026)sig=([\w%+/=-]{20,})/g,
  ]),
  ...rulesOf("password", [
    /(?<![\w$])\$(?:\d[a-z]?|g?y|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20})\$[\w./$=,+-]{20,}/g,
    /\{SS?HA(?:256|512)?\}[A-Za-z0-9+/]{20,}={0,2}/g,
  ]),
  ...rulesOf("token", [
    /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
    /(?<![\w-])bearer\s{1,4}((?=[\w.~+/-]{0,64}\d)[\w.~+/-]{8,}=*|[\w.~+/-]{20,}=*)/gi,
    /authorization\\{0,32}["']?\s{0,4}[:=]\s{0,4}\\{0,32}["']?(?:basic|bearer|token)\s{1,4}([\w.~+/-]{4,}=*)/gi,
    /(?<![\w-])(?:set-)?cookie\\{0,32}["']?\s{0,4}:\s{0,4}\\{0,32}["']?([^\s=;,"'\\]{1,100}=[^\r\n"'\\]{1,2000})/gi,
    /(?<![A-Za-z])auth\\{0,32}["']\s{0,4}:\s{0,4}\\{0,32}["'](?=[a-z+/]{0,64}[A-Z\d=])([A-Za-z0-9+/]{8,2000}={0,2})/g,
    /(?<![A-Za-z])_auth\s{0,4}=\s{0,4}["']?([\w+/=-]{8,2000})/g,
  ]),
  ...rulesOf("password", [
    // A host with a port before a version is an address: `http://localhost:3000@latest`.
    /:(?:\\{0,32}\/){2}(?!(?:localhost|[\d.]{1,15}|[\w-]{1,63}\.[\w.-]{1,190}):\d{1,5}@)[^\s/:@"'<>]{0,100}:([^\s/@"'<>]{1,200})@/g,
    // A name with a quoted value: JSON, EDN (`:password "…"`), code.
    new RegExp(`${NAME}${NAME_END}(?:\\s{0,4}(?::|=>?)\\s{0,4}|\\s{1,4})\\\\{0,32}"${QUOTED}`, "gi"),
    new RegExp(`${NAME}${NAME_END}\\s{0,4}(?::|=>?)\\s{0,4}\\\\{0,32}'([^'\\\\]{1,2000})`, "gi"),
    // A bare value: `PASSWORD=…` as in a shell or an .env file. After a colon prose may follow, so the value must not
    // be a word, or words and a year.
    new RegExp(`${NAME}\\s{0,2}=\\s{0,2}${BARE}`, "gi"),
    new RegExp(
      `${NAME}\\s{0,2}:\\s{0,2}(?=[^\\s]{0,64}[\\d!@#$%^*+=_-])(?![a-z]{1,64}(?:-[a-z]{1,64}){0,8}-\\d{1,4}(?:[\\s.,"'\\\\)]|$))${BARE.replace("{4,", "{6,")}`,
      "gi",
    ),
    // `pass` is a word too, so nothing but the sign of a value may follow it.
    new RegExp(`(?<![A-Za-z])pass${NAME_END}\\s{0,4}[:=]\\s{0,4}\\\\{0,32}"${QUOTED}`, "gi"),
    new RegExp(`(?<![A-Za-z])pass${NAME_END}\\s{0,4}[:=]\\s{0,4}\\\\{0,32}'([^'\\\\]{1,2000})`, "gi"),
    new RegExp(`:(?:[\\w-]{0,40}-)?pass\\s{1,4}\\\\{0,32}"${QUOTED}`, "g"),
    new RegExp(`(?<![A-Za-z])pass=${BARE}`, "gi"),
  ]),
  ...rulesOf("API key", [
    // A variable whose name tells little, with a value that can't be a word.
    /(?<![A-Z0-9])(?!(?:PUBLIC|CACHE|PRIMARY|FOREIGN|SORT|PARTITION)_)[A-Z][A-Z0-9]{0,30}_KEY\s{0,2}[:=]\s{0,2}["']?(?=[\w+/=.-]{0,64}\d)(?=[\w+/=.-]{0,64}[A-Za-z])([\w+/=.-]{12,2000})/g,
  ]),
  ...rulesOf("password", [
    new RegExp(`--(?:[a-z]{1,20}-){0,3}(?:password|passwd|pass|token|secret|api-key)[ =]["']?${ODD}${BARE}`, "g"),
    /(?<![\w-])curl(?![\w-])[^\r\n]{0,400}?\s(?:-[uU]|--user|--proxy-user)[ =]?["']?[^\s:"'/\\]{1,100}:([^\s"'\\]{2,200})/g,
    /(?<![\w-])(?:mysql|mysqldump|mysqladmin|mariadb)(?![\w-])[^\r\n]{0,200}?\s-p["']?([^\s"'\\-][^\s"'\\]{2,200})/g,
    /(?<![\w-])(?:sshpass\s{1,4}-p|redis-cli[^\r\n]{0,200}?\s-a)\s{0,4}["']?([^\s"'\\]{2,200})/g,
    // The files .netrc and .pgpass.
    /(?<!\w)login\s{1,4}\S{1,200}\s{1,8}password\s{1,4}([^\s"'\\]{2,200})/g,
    /(?<![^\s"'])[^\s:"'\\]{1,200}:(?:5\d{3}|6543|\*):(?:\*|[A-Za-z_][^\s:]{0,100}):[^\s:]{1,100}:([^\s:"'\\]{2,200})/g,
  ]),
  ...rulesOf("token", [
    /(?<![A-Za-z])token\\{0,32}["']?\s{0,4}[:=]\s{0,4}\\{0,32}["']?(?=[\w.~+/-]{0,64}\d)([\w.~+/-]{12,2000})/gi,
  ]),
]

/** Placeholders for a value: a variable, an example, or our own mark. */
const PLACEHOLDER =
  /^(?:\$(?![\w-]{1,14}\$)|%|<|\{\{|\*+$|x{3,}$|\.{3}|…|\[redacted|process\.env|os\.environ|(?:true|false|null|nil|none|undefined|string|text|required|optional)$)/i

/** JSON keys whose value is a secret. */
const SECRET_NAME = new RegExp(`(?:${NAME}|(?<![A-Za-z])pass|^(?:token|authorization|(?:set-)?cookie))$`, "i")

/** True if a text is a secret because of its JSON key: not a working folder, nor a word about cookies. */
export function isSecretValue(name: string, value: string): boolean {
  if (value === "" || !SECRET_NAME.test(name) || isPlaceholder(value)) return false
  if (/pwd$/i.test(name)) return !/^[/~.]/.test(value)
  return !/cookie$/i.test(name) || value.includes("=")
}

/** True for a placeholder: `$PASSWORD`, `<your key>`, `***`. */
function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}

/** False for a text that can't contain a secret; fast. */
export function mayHoldSecret(text: string): boolean {
  return HINT.test(text)
}

/** The likely secrets of a text, in order and without overlaps. */
export function secretsIn(text: string): readonly Secret[] {
  if (!mayHoldSecret(text)) return []
  const found = RULES.flatMap(([kind, shape]) => [...text.matchAll(shape)].flatMap(match => secretOf(match, kind)))
  const secrets: Secret[] = []
  for (const one of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.from >= (secrets.at(-1)?.to ?? 0)) secrets.push(one)
  }
  return secrets
}

function secretOf(match: RegExpMatchArray, kind: SecretKind): readonly Secret[] {
  const [whole, value = whole] = match
  if (value === "" || isPlaceholder(value)) return []
  // If the pattern includes a name, its value is at the end of the match, except for an `@`.
  const from = (match.index ?? 0) + whole.lastIndexOf(value)
  return [{ from, to: from + value.length, kind }]
}
