// Talks to the real agent CLIs as `run` does, with a person's answers as a script tells them.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "../../packages/wire/src/command.ts"
import { encode } from "../../packages/wire/src/encode.ts"
import type { Json } from "../../packages/wire/src/json.ts"
import { startTalk, talkOfPrompt } from "../../src/guest/choose-talk.ts"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { GuestSource } from "../../src/guest/guest-source.ts"
import { fold } from "../../src/run/fold.ts"
import type { Prompt } from "../../src/run/model/prompts.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { type Place, PRICES, starterOf, TRIED, type TriedCli } from "./clis.ts"
import type { ServedReply } from "./fake-model.ts"
import { LAST_WORD, type TalkName } from "./scripts.ts"
import type { Tells } from "./truth.ts"

/** A CLI that is talked to. */
export interface TriedTalk extends TriedCli {
  /** The words behind `run` with which it is talked to. */
  readonly run: readonly string[]
  readonly talks: readonly TalkName[]
}

const EVERY: readonly TalkName[] = ["allowed", "denied", "cancelled", "thrice"]

/** `tells` is what it tells otherwise than when it prints. */
function talkOf(run: readonly string[], tells: Partial<Tells>, more: Partial<TriedTalk> = {}): TriedTalk {
  const cli = TRIED.find(({ name }) => run[0]?.startsWith(name))
  if (cli === undefined) throw new Error(`no CLI ${run}`)
  return { ...cli, run, talks: EVERY, ...more, tells: { ...cli.tells, ...tells } }
}

/** Settings in which one word stands for another. */
const settingsWith = (name: string, word: string, other: string): Partial<TriedTalk> => ({
  settings: (base, work) => {
    const files = Object.entries(TRIED.find(cli => cli.name === name)?.settings(base, work) ?? {})
    return Object.fromEntries(files.map(([path, text]) => [path, text.replace(word, other)]))
  },
})

export const TRIED_TALKS: readonly TriedTalk[] = [
  talkOf(["claude"], {}, { talks: [...EVERY, "edited"] }),
  // Of a prompt it tells the tokens of its last request alone, and its cost.
  talkOf(
    ["opencode", "acp"],
    { tokens: "none", prices: { ...PRICES, written: PRICES.fresh } },
    settingsWith("opencode", '"bash":"allow"', '"bash":"ask"'),
  ),
  // It tells no output of its shell, and not what came from the cache.
  talkOf(["gemini", "--acp"], { results: false, cached: false }),
  talkOf(
    ["codex-acp"],
    {},
    {
      ...settingsWith("codex", "gpt-5.1-codex", "gpt-5.5"),
      ...{ version: "2.6.0", packages: ["@agentclientprotocol/codex-acp@2.6.0"], program: ".bin/codex-acp" },
      needsNode: true,
    },
  ),
  talkOf(["kimi", "acp"], {}),
]

/** What a person answers to a tool, by the beginning of the labels of its options. */
const CHOICES: { readonly [talk in TalkName]?: RegExp } = {
  allowed: /^(?:Allow(?: once)?|Approve once|Yes, proceed)$/,
  denied: /^(?:Deny|Reject|No,? .*)$/,
  edited: /^Allow with another input/,
}

const PROMPTS: { readonly [talk in TalkName]?: readonly string[] } = { thrice: ["First.", "Second.", "Third."] }

/** Has a conversation; resolves with its run once the CLI has ended. */
export async function talkTo(cli: TriedTalk, talk: TalkName, place: Place): Promise<Run> {
  const starter = await starterOf(cli, place)
  const choice = talkOfPrompt(cli.run, false, true)
  if (choice === null) throw new Error(`${cli.name} is not talked to`)
  const [prompt = null, ...more] = PROMPTS[talk] ?? ["Make a file."]
  const options = { name: cli.name, cwd: place.work, prompt, once: false, asks: true }
  const command = [...starter, ...choice.command.slice(1)]
  const spoken = startTalk(choice.protocol, options)
  const source = new GuestSource({ command, parser: new GuestParser("none", null), stdin: "ignore", talk: spoken })
  const ended = Promise.withResolvers<void>()
  const say = (command: Command) => setImmediate(() => source.send({ command, text: encode(command) }))
  const seen = new Set<string>()
  let run = emptyRun
  const answer = (open: Prompt): void => {
    const { promptId, question, options } = open.frame
    const next = question.startsWith("What shall it do") ? more.shift() : choiceFor(talk, options, question)
    if (next === undefined) setImmediate(() => void source.terminate())
    else say({ type: "answer", promptId, value: next })
  }
  const timer = setTimeout(() => void source.terminate(), 60_000)
  source.start({
    frames: frames => {
      run = fold(
        run,
        frames.map(({ frame }) => frame),
      )
      for (const open of run.prompts.filter(({ state, key }) => state === "open" && !seen.has(key))) {
        seen.add(open.key)
        answer(open)
      }
      const isSaid = frames.some(({ frame }) => frame.kind === "delta" && frame.text.includes(LAST_WORD))
      if (talk === "cancelled" && isSaid) say({ type: "ui-interrupt" })
    },
    link: ({ state }) => void (state === "exited" && ended.resolve()),
    restart: () => undefined,
  })
  await ended.promise
  clearTimeout(timer)
  return run
}

/** The answer to what a CLI asks of a tool. */
function choiceFor(talk: TalkName, options: Prompt["frame"]["options"], question: string): Json {
  if (/as JSON/.test(question)) return JSON.stringify({ command: "echo other", description: "a scripted call" })
  const found = options.find(({ label }) => CHOICES[talk]?.test(label))
  return found?.value ?? options.at(-1)?.value ?? ""
}

/** How a conversation differs from what a person answered, beside the model's account. */
export function answersDiffer(
  talk: TalkName,
  run: Run,
  { work }: Place,
  served: readonly ServedReply[],
): readonly string[] {
  const made = ["allowed", "denied", "given"].filter(name => existsSync(join(work, `${name}.txt`)))
  const wanted = talk === "allowed" ? ["allowed"] : []
  const asked = run.prompts.filter(({ frame }) => !frame.question.startsWith("What shall it do"))
  const prompts = PROMPTS[talk]?.length ?? 1
  const said = run.sessions[0]?.turns ?? 0
  return [
    ...(String(made) === String(wanted) ? [] : [`files ${made} are made, ${wanted} were allowed`]),
    ...(talk in CHOICES === asked.length > 0 ? [] : [`${asked.length} questions`]),
    ...(prompts <= said && said <= served.length ? [] : [`${said} turns for ${served.length} replies`]),
  ]
}
