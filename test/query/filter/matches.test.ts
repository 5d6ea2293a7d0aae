// Keeps what filters mean in a run that has nearly everything: how each is read, what it matches, and where it becomes true.
import { expect, test } from "bun:test"
import { decode } from "../../../packages/wire/src/decode.ts"
import { isFrame } from "../../../packages/wire/src/frame.ts"
import { readTyped } from "../../../src/query/filter/parse.ts"
import { compile, type Predicate } from "../../../src/query/filter/predicate.ts"
import { print } from "../../../src/query/filter/print.ts"
import { foldInSteps, newHit } from "../../../src/query/fold-with-breakpoints.ts"
import { type JumpKind, jump } from "../../../src/query/jump.ts"
import { hasRow } from "../../../src/run/log.ts"
import { allPacked } from "../../../src/run/memory/pack-rows.ts"
import { withRecalledFrame } from "../../../src/run/memory/recalled-frames.ts"
import { emptyRun, type Row, type Run } from "../../../src/run/model/run.ts"
import { fixture } from "../../fixtures.ts"
import { rowsOf } from "../../run/lines.ts"

const lines = (await Bun.file(fixture("tea")).text()).split("\n").map(decode)
/** The run after each step; a filter of its lines is true from there on. */
const steps = [...foldInSteps(emptyRun, lines)]
const run = steps.at(-1)?.after ?? emptyRun
/** The same run once no frame of its rows is in memory. */
const packed: Run = { ...run, log: { ...run.log, rows: allPacked(run.log.rows, run) } }

/** Filters, by what they are about; `|` stands between two. */
const TEXTS = `
  error | warning | prompt | not error | error warning | error or prompt | not (error or prompt) | (error) and not prompt
  kind=event | kind!=event | kind=gap or kind=refused or kind=breakpoint or kind=disk or kind=connection
  event=llm/start | event=llm/* | event~retry | event!=llm/* invokeid=cook | event=adapter/note | event="brand/new"
  invokeid=cook | invokeid=c* | invokeid=c??k | invokeid!=cook | invokeid~/COOK/ | invokeid~/COOK/i | invokeid=""
  session=cook.1 | session=:session/* | session~cook error | session!=cook.1
  model=oak-1 | model=elm* | model~"2" | model=ash-3 turn=3 | model!=oak-1 error
  state=boil | state=tea | state=pour | state=wait state=pour | state!=boil | state~done
  text~kettle | text~"100 °C" | text~茶 | text~/^Pour/ | text~/^pour/i | text~/water.*葉/s | text~^Key$ | text~"key sk"
  text~"→ pour" | text="Pouring" | text~gone text~left | text~"row missing" | text~"no debugger" | text~"too sweet"
  text~"100}" | text~"boil 茶" | text~heat | text~brand | text~Zebra | text~two | text="session ended" | text~"from boil"
  invokeid=guest | invokeid=c?k | kind~. | event="" | state=nowhere | model="" | session="" | reason="no debugger" | and error
  tool=pour | tool=* | tool~oo | tool!=pour | tool=heat or tool=look | tool=pour failed=1
  reason=refusal | reason~by | reason=max_tokens | reason~"tea is over" | reason=overloaded | reason=done | reason="refused"
  turn=1 | turn=2 | turn>=3 | turn<2 | turn!=1 | turn>9 | visit=0 | visit>0 | visit=0 turn=1
  tokens=20 | tokens>=8 | tokens<8 | tokens>0.019k | tokens!=8 | tokens=0 | rate=12.5 | rate>12.5 | rate<=12.5 | rate>=0
  input>=1650 | input>18k | input=330 | cached>0 | cached=600 | cost>0 | cost=0.25 | cost>=0.5 | cost>0.25
  duration>=3 | duration<0.1 | duration=0.05 | failed=0 | failed=1 | failed>1
  seq=3 | seq>70 | seq<3 | seq>=76 seq<=77 | seq!=3 seq<6
  ts=+3.1s | ts>+101.6s | ts<+0.05s | ts>=09:03:20 | ts=09:00:03 | ts<=1773478800100 | ts>4m40s | ts!=+10s prompt | ts=+1:40
  invokeid = cook* | invokeid="the cook" | invokeid="a \\"b\\" \\\\ c" | invokeid=f(x) | (invokeid=f(x)) | invokeid!=a\\b
  text~"I can't (really)" | text~time(out) | text~a\\)b | text~a/b | text~/no space/ | text~/a[/)]\\/b/smi | text~//
  tokens=12 | tokens>4k | tokens>=1.5k | tokens < 0.25 | tokens>-3 | tokens=-0 | tokens!=12 | tokens<=12
  ts>1700000000000 | ts>14:03 | ts>14:03:22 | ts>9:03:22.5 | ts>+12s | ts>+12.05s | ts>+2:03:04 | ts=+1.50s | ts=5
  ERROR AND Not Model=OAK-1 | error warning or prompt | error or warning and prompt | not error warning | not not error
  error and warning prompt | error or warning or prompt | error(warning or prompt) | not(error or warning)prompt
  ((error)) | error (warning prompt) | error or (warning or prompt) | model="gpt-4" text~/foo/i text~"foo" tokens>4k
  model="a b" model="" model="=" model="(" text~/a b/ text~/a/m | not (error warning) | (error and warning) or not (prompt)
  __proto__=1 | constructor=1 | tokens~"x" | model >= 3 | ts~12 | model | model error | error>3 | tokens>many more | tokens>
  tokens=>3 | tokens>1e999 | ts>24:00 | ts>14:60 | ts>12.5x | ts>+12.5.1 | ts>noon | model==x | error (warning | error) warning
  text~"abc | text~/abc | model=a(b c) | text~"a"b | text~"\\d" | error or | error and not | or error | () | =3
  text~a[b | text~/a(?=b)/ | text~/a(?!b)/ | text~/(?<=a)b/ | text~/(?<!a)b/ | text~/(?i:a)/ | text~/a{249}/ | text~/a{250}/
  text~/(a{30}){30}/ | text~/((a{9999}){9999}){9999}/ | text~/a/g b
  invokeid=maid state=wait | invokeid=cook state=tea | invokeid=maid prompt | turn=1 state=pour | reason=network or tool=look
  words and more words | tool | first snow | error first | tokens>x | (error | error) | text~[ | text~/(a)\\1/ | ts~1 | foo=1
  model= | model="a | text~/a/gg | not | error and | tokens~4 | "x" | kind>3 | state="a\\b" | text~a(b | ts=25:00 | seq=1.5
`
  .trim()
  .split(/[|\n]/)
  .map(text => text.trim())

/** An event tells the same by its frame alone, and by its name alone, unless it says that they can't tell. */
function agree(predicate: Predicate, row: Row): void {
  const { what } = row
  if (what.kind !== "event") return
  const told = predicate.event(run, what)
  if (told !== null) expect([row.line, told]).toEqual([row.line, predicate.row(run, row) === true])
  const named = predicate.name(what.name)
  if (named !== null) expect([what.name, named]).toEqual([what.name, told === true])
}

/** The types of events that must be read back, whose frames have left memory; all else is as it was. */
function openIn({ row: test }: Predicate): string {
  const before = rowsOf(run)
  const open = rowsOf(packed).flatMap((row, i) => {
    const told = test(packed, row)
    if (told !== null) expect([row.line, told]).toEqual([row.line, before.slice(i, i + 1).some(one => test(run, one))])
    return told === null && row.what.kind === "evicted" ? [row.what.type] : []
  })
  const types = [...new Set(open)].sort()
  return types.length > 9 ? `${open.length} rows` : types.join(" ")
}

function pictured(text: string): string {
  const read = readTyped(text)
  if ("error" in read) {
    const { at, length, message } = read.error
    return `«${text.slice(at, at + length)}» at ${at}: ${message}`
  }
  const { filter } = read
  const predicate = compile(filter, 0)
  const of = rowsOf(run).flatMap(row => (predicate.row(run, row) === true ? [row.line + 1] : []))
  for (const row of rowsOf(run)) agree(predicate, row)
  const frames = lines.flatMap((frame, i) => {
    const isRow = frame.kind === "event" && hasRow(frame)
    return isFrame(frame) && !isRow && predicate.frame(run, frame) ? [i + 1] : []
  })
  const undecided = rowsOf(run).flatMap(row => (predicate.row(run, row) === null ? [row.line + 1] : []))
  const lost = rowsOf(packed).filter(row => {
    return predicate.row(packed, withRecalledFrame(row, new Map([[row.line, null]]))) !== false
  })
  const sessions = [...run.sessions.keys()].filter(index => predicate.session(run, index))
  const hits = steps.flatMap(step => {
    const hit = step.isNote ? null : newHit({ key: 1, filter }, step, 0)
    const { count = 0, sessions = [] } = hit ?? {}
    return hit === null ? [] : [`${step.after.frames.lines}${count > 1 ? ` ×${count}` : ""} (${sessions})`]
  })
  const told = [
    ["read as", print(filter)],
    ["rows of the lines", of.join(" ")],
    ["frames without a row of the lines", frames.join(" ")],
    ["undecided", undecided.join(" ")],
    ["undecided without their frames", openIn(predicate)],
    ["rows if no frame can be read", lost.length === of.length ? "" : String(lost.length)],
    ["sessions at the end", sessions.join(" ")],
    ["the run at the end", String(predicate.run(run))],
    ["becomes true after line (of sessions)", hits.join(", ")],
  ]
  return told.flatMap(([name, words]) => (words === "" ? [] : [`${name}: ${words}`])).join("\n")
}

test.each(TEXTS)("%s", text => {
  expect(pictured(text)).toMatchSnapshot()
})

test("jumps from row to row, by kind and direction", () => {
  const rows = rowsOf(run)
  const told = (["error", "warning", "state", "prompt", "turn"] as const satisfies readonly JumpKind[]).flatMap(kind =>
    ([1, -1] as const).map(direction => {
      const path: number[] = []
      let at = jump(run, kind, direction, direction === 1 ? -1 : rows.length)
      while (at !== null) {
        path.push((rows[at]?.line ?? -1) + 1)
        at = jump(run, kind, direction, at)
      }
      return `${kind} ${direction === 1 ? "forward" : "back"}: lines ${path.join(" ")}`
    }),
  )
  expect(told.join("\n")).toMatchSnapshot()
})
