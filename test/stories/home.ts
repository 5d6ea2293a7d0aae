// Lists the stories of the home screen.
import { type TailFacts, tailFacts } from "../../src/run/select/tail-facts.ts"
import type { Home, HomeFacts } from "../../src/view/home.ts"
import { tell } from "../run/lines.ts"
import { NOW } from "../screen/screen.tsx"
import { command, dispatch, press, type Step, type Story, story, type } from "./story.ts"

const HOUR = 3_600_000
const none = tailFacts(tell([]), null)

/** A run that ended so many hours ago. */
const ran = (chart: string, last: string, end: TailFacts["end"], took = 42_000): TailFacts => ({
  ...none,
  ...{ chart, last, end, state: "reviewing", tokens: 12_431 },
  firstTs: NOW - HOUR,
  lastTs: NOW - HOUR + took,
})

const asking: TailFacts = {
  ...ran("harbour/report", "asks: Which title does the report get?", null),
  asks: "Which title does the report get?",
  error: "drafter 3: connection reset by peer",
  errors: 2,
  states: [
    { id: "planning", ms: 8000, isActive: false },
    { id: "deciding", ms: 660_000, isActive: true },
  ],
  bars: ["planner", "drafter"].map((name, group) => ({
    name,
    group,
    stages: Array.from({ length: 36 }, (_, i) => (i % 12 < 3 ? "first-token" : i % 12 < 9 ? "generation" : "human")),
  })),
}

const KEPT = { place: "~/harbour/screens", prompt: "Which tests still name pier 2?" }

const RUNS: readonly (readonly [name: string, hours: number, facts: HomeFacts | null])[] = [
  ["7f3a", 0, asking],
  ["0412", 0, ran("factory/night", "tester 21 runs npm test", null)],
  ["6c01", 1, ran("harbour/report", "drafter 3: connection reset by peer", "failed")],
  ["889d", 2, ran("haiku/tournament", "judge 2: Poet 4 keeps the cut", "done")],
  ["kept/2026-11-26T10-00-00.000Z-1-claude", 3, { ...ran("claude", "Two of them do.", "done"), kept: KEPT }],
  ["b3e4", 4, ran("chess/match", "ui-quit", "stopped")],
  ["0411", 9, ran("factory/night", "reviewer: the belt stands", null)],
  ["unreadable", 30, null],
  ...Array.from(
    { length: 40 },
    (_, i) => [`old-${i}`, 48 + i * 7, ran("haiku/tournament", "poet: snow", "done")] as const,
  ),
]

const home = (runs: typeof RUNS, root = "~/harbour/.escapement"): Step =>
  dispatch({
    type: "home",
    home: {
      root,
      runs: runs.map(([name, hours]) => ({ name, directory: `${root}/${name}`, changedAt: NOW - hours * HOUR - 1000 })),
      closed: [],
      clis: [],
      facts: new Map(runs.map(([name, , facts]) => [name, facts])),
      agent: { url: "ws://127.0.0.1:3737/ws", answers: false, facts: null },
    } satisfies Home,
  })
const focus = dispatch({ type: "view", change: { focus: "home" } })

/** No agent is attached there. */
const closed = dispatch({ type: "link", link: { state: "closed" }, now: NOW })
const shown = [closed, home(RUNS), focus]

export const homeStories: readonly Story[] = [
  story("home", "typical", "runs of two days, one of which asks", /─ RUNS/, { did: shown }),
  story("home", "scrolled", "the end of a long list", /─ RUNS/, { did: [...shown, press("G")] }),
  story("home", "filtered", "a filter being typed", /\/ harbour/, { did: [...shown, press("/"), type("harbour")] }),
  story("home", "no-match", "a filter that no run passes", /zzz[\s\S]*\n \/ filter/, {
    did: [...shown, ...command("/", "zzz")],
  }),
  story("home", "deleting", "d on a run that is kept", /─ RUNS/, { did: [...shown, press("j", "j", "j", "j", "d")] }),
  story("home", "empty", "nothing ever ran here", /No runs in/, { did: [closed, home([]), focus] }),
]
