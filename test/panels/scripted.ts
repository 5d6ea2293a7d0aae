// Plays scripts of what a person, an agent and a connection do, and tells what each step changes on the screen.
import { test as check, expect } from "bun:test"
import { join } from "node:path"
import { type CapturedFrame, TextAttributes } from "@opentui/core"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { type Span, span } from "../../src/ui/line.ts"
import { makeTheme } from "../../src/ui/theme.ts"
import { root } from "../fixtures.ts"
import { event, line } from "../run/lines.ts"
import { live, NOW, replay, show, URL } from "../screen/screen.tsx"
import { type Step, walked } from "./steps.ts"

const lost = { state: "lost", url: URL, since: NOW, retryAt: NOW + 90_000, why: "closed", everOpen: true } as const
const guest = { state: "running", command: "claude" } as const
const LINKS: Readonly<Record<string, Link>> = {
  ...{ live, replay, lost, api: { ...lost, api: true }, printed: guest, guest: { ...guest, talks: true } },
  ...{ ended: { state: "ended", path: "run.jsonl", incompleteLength: 0 }, closed: { state: "closed" } },
  ...{
    connecting: { state: "connecting", url: URL, attempt: 1 },
    reopened: { state: "open", url: URL, since: NOW + 1 },
  },
  exited: { state: "exited", command: "claude", code: 3 } as Link,
}

/** Short names of events. The rest of the line is their text, or their data as JSON. */
const SHORT: Readonly<Record<string, readonly [name: string, data: (text: string) => object]>> = {
  start: ["llm/start", model => (model === "" ? { model: "m" } : { model })],
  asks: ["llm/request", text => ({ "user-blocks": [{ type: "text", text }] })],
  says: ["llm/response", text => ({ content: [{ type: "text", text }] })],
  streams: ["llm/delta", text => ({ type: "text-delta", text })],
  fails: ["llm/error", text => ({ message: text })],
  note: ["test/note", text => ({ text })],
}

/** How each session of a crew goes on after its first word. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  done: ["says", "word"],
  failed: ["fails", "reset"],
  tool: ["llm/response", '{"content":[{"type":"text","text":"word"},{"type":"tool_use","name":"ls"}]}'],
  running: [],
}

/**
 * The frames of a line: JSON as it is sent; numbered events a second apart, such as `5 says poet/p1 Snow.`, `0-99 note
 * rain`, `7 runner/done {}`; `1@250 start a/a`, 250 ms from now, also without a number; sessions, `crew poet done*3`.
 */
function linesOf(told: string): readonly Decoded[] {
  if (told.startsWith("{")) return [line(JSON.parse(told))]
  if (told.startsWith("crew ")) return crewOf(told)
  const [, from = "", to = from, word = "", invokeid, id, rest = ""] =
    /^(\d*@-?\w+|\d+)(?:-(\d+))? (\S+)(?: ([\w.]+)\/(\S+))?(?: (.*))?$/.exec(told) ?? []
  const [name, make] = SHORT[word] ?? [word, () => ({})]
  const data = { ...(rest.startsWith("{") ? { ...make(""), ...JSON.parse(rest) } : make(rest)) }
  const all = invokeid === undefined ? data : { invokeid, "session-id": id, ...data }
  const [number = "", ms] = from.split("@")
  if (ms !== undefined)
    return [event(number === "" ? null : Number(number), name, all, ms === "x" ? null : NOW + Number(ms))]
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => {
    const seq = Number(from) + i
    return event(seq, name, all, NOW - 60_000 + seq * 1000)
  })
}

function crewOf(told: string): readonly Decoded[] {
  const [, name = "", ...ends] = told.split(" ")
  const all = ends.flatMap(one => Array.from({ length: Number(one.split("*")[1] ?? 1) }, () => one.split("*")[0] ?? ""))
  return all.flatMap((end, i) => {
    const who = `${name}/${name}.${i + 1}`
    const [verb, rest = ""] = ENDS[end] ?? []
    const ended = verb === undefined ? [] : [`@2 ${verb} ${who} ${rest}`]
    return [`@0 llm/start ${who}`, `@1 streams ${who} word`, ...ended].flatMap(linesOf)
  })
}

/**
 * Tests each walk of a file in fixtures/scripts/walks: `what it shows = 80x24 live crew: step | step`. A step is keys,
 * `+crew` (feeds the frames of the line `:crew = …`), `=lost` (changes the link), `wait 5000`, or another of `acts`.
 * `rows 1-3` tells rows with all their blanks, `inks 1-3` their colours.
 */
export async function testWalks(name: string): Promise<void> {
  const file = await Bun.file(join(root, "fixtures/scripts/walks", `${name}.txt`)).text()
  const runs = new Map<string, readonly Decoded[]>()
  for (const one of file.trim().split("\n")) {
    const [, title = "", script = ""] = /^(.*?) = (.*)$/.exec(one) ?? []
    if (title.startsWith(":")) runs.set(title.slice(1), script.split("; ").flatMap(linesOf))
    else if (title !== "") check(title, async () => expect(await played(script, runs)).toMatchSnapshot())
  }
}

async function played(script: string, runs: ReadonlyMap<string, readonly Decoded[]>): Promise<string> {
  const [, columns, rows, link = "", given = "", steps = ""] = /^(\d+)x(\d+) (\w+) ?(.*?): (.*)$/.exec(script) ?? []
  const fed = given.split(" ").flatMap(one => runs.get(one) ?? [])
  const screen = await show({ columns: Number(columns), rows: Number(rows), link: LINKS[link] ?? live }, ...fed)
  const view = (change: object) => screen.store.dispatch({ type: "view", change })
  const acts: Readonly<Record<string, (rest: string) => unknown>> = {
    "+": name => {
      const more = runs.get(name) ?? []
      fed.push(...more)
      screen.feed(...more)
    },
    "=": to => screen.link({ ...(LINKS[to] ?? live) }),
    "wait ": ms => screen.pass(Number(ms)),
    "click ": text => screen.click(text),
    "wheel ": text => screen.wheel(text, "down"),
    "setup ": word => view({ setup: { [word]: true } }),
    "filter ": text => view({ list: { filter: text } }),
    "moment ": lines => screen.store.dispatch({ type: "show", run: fold(emptyRun, fed.slice(0, Number(lines))) }),
    present: () => screen.store.dispatch({ type: "show", run: null }),
    "directory ": path => screen.store.dispatch({ type: "directory", directory: { path, error: null } }),
    "size ": size => screen.resize(Number(size.split("x")[0]), Number(size.split("x")[1])),
  }
  const stepOf = (step: string): Step => {
    const word = Object.keys(acts).find(one => step.startsWith(one) && /^(?:\w|[+=]\w)/.test(step))
    return word === undefined ? step : [step, () => acts[word]?.(step.slice(word.length))]
  }
  const told: string[] = []
  for (const part of steps.split(/ \| (?=(?:inks|rows) )|(?<=(?:inks|rows) [\d-]+) \| /)) {
    const [, what, from, to = from] = /^(inks|rows) (\d+)(?:-(\d+))?$/.exec(part) ?? []
    if (from === undefined) told.push(await walked(screen, ...part.split(" | ").map(stepOf)))
    else
      told.push(
        ...(what === "rows" ? await screen.rows() : inksIn(await screen.frame()))
          .slice(Number(from), Number(to) + 1)
          .filter(Boolean),
      )
  }
  return told.join("\n")
}

const { paint } = makeTheme("truecolor", "dark")
const TOKENS = ["normal", "bright", "dim", "accent", "ok", "warn", "error", "hue0", "hue1", "hue2", "hue3"] as const
const inkOf = (span: Span) => paint(span).fg.toInts().join()

/** The colour of each part of each row, with a mark for what is bold, faint or a hit. */
function inksIn({ lines }: CapturedFrame): readonly string[] {
  return lines.map(({ spans }) =>
    spans
      .filter(({ text }) => /[^\s│─┌┐└┘]/.test(text))
      .map(({ text, fg, attributes }) => {
        const token = TOKENS.find(one => inkOf(span("", one)) === fg.toInts().join()) ?? "?"
        const has = (bit: number, mark: string) => ((attributes & bit) === 0 ? "" : mark)
        const marks = has(TextAttributes.BOLD, "*") + has(TextAttributes.DIM, "~") + has(TextAttributes.INVERSE, "!")
        return `${token}${marks} ${text
          .trim()
          .replace(/ {2,}/g, "  ")
          .replace(/(.)\1{8,}/g, "$1…")}`
      })
      .join(" ┊ "),
  )
}
