// Makes texts with secrets of the shapes that services issue, and texts that only look like them. None is real.
/** A text and the parts of it that must not leave the program. */
export interface SecretText {
  readonly name: string
  readonly text: string
  readonly secrets: readonly string[]
}

const HEX = "0123456789abcdef"
const LOWER = "abcdefghijklmnopqrstuvwxyz0123456789"
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
const MIXED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

let made = 0

/** So many made-up characters, with a digit first, different at each call. */
function chars(count: number, alphabet = MIXED): string {
  made++
  const at = (i: number): string => alphabet[(made * 37 + i * i * 17 + i * 29 + made * i * 7) % alphabet.length] ?? "0"
  return `${made % 10}${Array.from({ length: count - 1 }, (_, i) => at(i)).join("")}`
}

type Shape = string | readonly [count: number, alphabet?: string]

/** A text of fixed parts and, for each count, made-up characters, which are its secrets. */
function sample(name: string, ...shapes: readonly Shape[]): SecretText {
  const parts = shapes.map(shape => (typeof shape === "string" ? shape : chars(...shape)))
  return { name, text: parts.join(""), secrets: parts.filter((_, i) => typeof shapes[i] !== "string") }
}

const PASSWORD = [14, LOWER] as const

/** Keys that are known by their shape, in a sentence. */
const KEYS: readonly SecretText[] = [
  sample("OpenAI", "use sk-proj-", [48], " now"),
  sample("Anthropic", "use sk-ant-api03-", [90], "AA now"),
  sample("OpenRouter", "use sk-or-v1-", [64, HEX], " now"),
  ...["ghp", "gho", "ghu", "ghs", "ghr"].map(kind => sample(`GitHub ${kind}`, `use ${kind}_`, [36], " now")),
  sample("GitHub, fine-grained", "use github_pat_", [22], "_", [59], " now"),
  sample("AWS id", "use AKIA", [16, UPPER], " now"),
  sample("AWS secret", "aws_secret_access_key = ", [40]),
  sample("AWS session", "AWS_SESSION_TOKEN=", [120]),
  sample("Google", "use AIza", [35], " now"),
  sample("Google client", "use GOCSPX-", [28], " now"),
  sample("Google, to refresh", "use 1//0", [60], " now"),
  sample("Azure storage", "AccountName=x;AccountKey=", [86], "==;EndpointSuffix=core"),
  sample("Azure bus", "SharedAccessKeyName=Root;SharedAccessKey=", [43], "="),
  sample("Azure signature", "https://x.test/b?sv=2024-01-01&sig=", [43], "%3D"),
  sample("Azure client", "use abc8Q~", [34], " now"),
  sample("Slack bot", "use xoxb-", [12, "0123456789"], "-", [24], " now"),
  sample("Slack user", "use xoxp-", [12, "0123456789"], "-", [32, HEX], " now"),
  sample("Slack app", "use xapp-1-", [12, UPPER], "-", [64, HEX], " now"),
  sample("Slack hook", "https://hooks.slack.com/services/T0000/B0000/", [24]),
  sample("Stripe", "use sk_", "live_", [24], " now"),
  sample("Stripe, restricted", "use rk_", "live_", [24], " now"),
  sample("Stripe hook", "use whsec_", [32], " now"),
  sample("JWT", "use eyJ", [34], ".eyJ", [60], ".", [43], " now"),
  sample("npm", "use npm_", [36], " now"),
  sample("Hugging Face", "use hf_", [34], " now"),
  sample("Groq", "use gsk_", [52], " now"),
  sample("xAI", "use xai-", [80], " now"),
  sample("PyPI", "use pypi-AgEIcHlwaS5vcmc", [120], " now"),
  sample("DigitalOcean", "use dop_v1_", [64, HEX], " now"),
  sample("SendGrid", "use SG.", [22], ".", [43], " now"),
  sample("GitLab", "use glpat-", [20], " now"),
  sample("GitLab runner", "use glrt-", [20], " now"),
  sample("Telegram", "use 123456789:AA", [33], " now"),
  sample("Twilio", "use SK", [32, HEX], " now"),
  sample("Mailgun", "use key-", [32, HEX], " now"),
  sample("Shopify", "use shpat_", [32, HEX], " now"),
  sample("Databricks", "use dapi", [32, HEX], " now"),
  sample("Vault", "use hvs.", [95], " now"),
  sample("Terraform", "use ", [14], ".atlasv1.", [67], " now"),
  sample("Grafana", "use glsa_", [32], "_", [8, HEX], " now"),
  sample("New Relic", "use NRAK-", [27, UPPER], " now"),
  sample("Sentry", "use sntrys_eyJ", [90], "_", [43], " now"),
  sample("Figma", "use figd_", [40], " now"),
  sample("Airtable", "use pat", [14], ".", [64, HEX], " now"),
  sample("Atlassian", "use ATATT3xFfGF0", [170], "=", [8, UPPER], " now"),
  sample("Fly", "use fm2_lJPE", [150], " now"),
  sample("PlanetScale", "use pscale_tkn_", [43], " now"),
  sample("Supabase", "use sbp_", [40, HEX], " now"),
  sample("Supabase project", "use sb_secret_", [31], " now"),
  sample("Linear", "use lin_api_", [40], " now"),
  sample("Notion", "use ntn_", [46], " now"),
  sample("Notion, as it was", "use secret_", [43], " now"),
  sample("Vercel", "use vcp_", [56], " now"),
  sample("Vercel, unprefixed", "VERCEL_TOKEN=", [24]),
  sample("Perplexity", "use pplx-", [48], " now"),
  sample("Replicate", "use r8_", [37], " now"),
  sample("NVIDIA", "use nvapi-", [64], " now"),
  sample("Tavily", "use tvly-dev-", [32], " now"),
  sample("Fireworks", "use fw_", [24], " now"),
  sample("LangSmith", "use lsv2_pt_", [32, HEX], "_", [10, HEX], " now"),
  sample("Docker Hub", "use dckr_pat_", [27], " now"),
  sample("Discord hook", "https://discord.com/api/webhooks/123456789012345678/", [68]),
  sample("Teams hook", "https://x.webhook.office.com/webhookb2/", [36, HEX], "/IncomingWebhook/", [32, HEX], "/a"),
  sample("age", "use AGE-SECRET-KEY-1", [58, UPPER], " now"),
  sample("WIF", "use 5H", [49, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"], " now"),
]

/** Passwords and tokens that are known by what stands around them. */
const PLACES: readonly SecretText[] = [
  sample("a bearer", "Authorization: Bearer ", [40]),
  sample("a basic header", "Authorization: Basic ", [24], "=="),
  sample("a cookie", "Cookie: sid=", [32], "; theme=dark"),
  sample("a set cookie", "Set-Cookie: session=", [32], "; HttpOnly"),
  ...["postgres", "mysql", "mongodb+srv", "redis", "amqp"].map(scheme =>
    sample(`a ${scheme} URL`, `${scheme}://app:`, PASSWORD, "@db.test/x"),
  ),
  sample("*_PASSWORD", "DB_PASSWORD=", PASSWORD),
  sample("*_TOKEN", "CI_TOKEN=", [24]),
  sample("*_SECRET", "APP_SECRET=", PASSWORD),
  sample("*_PASS", "DB_PASS=", PASSWORD),
  sample("*_PASS, quoted", "DB_PASS='", PASSWORD, "'"),
  sample("*_KEY", "STRIPE_KEY=", [24]),
  sample("JSON pass", '{"pass":"', PASSWORD, '"}'),
  sample("JSON db_pass", '{"db_pass":"', PASSWORD, '"}'),
  sample("JSON password", '{"user":"ann","password":"', PASSWORD, '"}'),
  sample("JSON key", '{"api_key": "', [24], '"}'),
  sample("JSON, escaped", String.raw`{\"password\":\"`, PASSWORD, String.raw`\"}`),
  sample("JSON, escaped twice", String.raw`{\\\"password\\\":\\\"`, PASSWORD, String.raw`\\\"}`),
  sample("--password", "app --password ", PASSWORD, " run"),
  sample("curl -u", "curl -u ann:", PASSWORD, " https://x.test"),
  sample("mysql -p", "mysql -u root -p", PASSWORD, " shop"),
  sample("sshpass", "sshpass -p ", PASSWORD, " ssh ann@x.test"),
  sample(".netrc", "machine x.test login ann password ", PASSWORD),
  sample(".pgpass", "db.test:5432:shop:ann:", PASSWORD),
  sample("_auth", "//npm.test/:_auth=", [24], "=="),
  sample("docker auth", '{"auths":{"x.test":{"auth":"', [24], '"}}}'),
  sample("shadow", "root:$6$saltsalt$", [86], ":19000:0:99999:7:::"),
  sample("htpasswd", "ann:$apr1$saltsalt$", [22]),
  sample("bcrypt", "ann:$2y$10$", [53]),
  ...["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK", "PRIVATE KEY"].map(kind =>
    sample(kind, `-----BEGIN ${kind}-----\n`, [64], "\n", [64], `\n-----END ${kind}-----`),
  ),
  sample("GCP", String.raw`{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\n`, [64], '"}'),
  sample("PuTTY", "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n", [64], "\nPrivate-MAC: ", [64, HEX]),
]

export const SECRETS: readonly SecretText[] = [...KEYS, ...PLACES]

/** Texts that look like secrets and are none. */
export const HARMLESS = [
  "pwd=/home/user/project",
  "PWD=/srv/app",
  "api_key = get_api_key()",
  "credential = load(path)",
  "secret=secretsmanager.get('x')",
  "sk-learn-contrib-imbalanced",
  "Cookie: the cookie monster",
  "cookie: yes please 12",
  "http://localhost:3000@latest",
  "the secret: persistence-2024",
  "The password: ask the admin for it.",
  "All tests pass: 12 of 12",
  "Bearer authentication is described in RFC 6750.",
  "output-tokens: 120, max_tokens=4096",
  "password=$DB_PASSWORD, token=<your token>, secret: ********",
]
