// Keeps what the commands print about recordings, and what they say to whom calls them in a wrong way.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { called, lines } from "./called.ts"

const fixtures = join(root, "fixtures")
const ALL = "failing-run frames/tea.jsonl frames/prompts.jsonl recordings/haiku-tournament.jsonl store/reconnect.jsonl"
const PRICED = "--prices failing-run/prices.json"

const TOLD = lines(
  `fold store/incomplete.jsonl | | --at 2 | --at 100% | --at 0% | --at #3 | --at +0.1s | --at e2/1 | --at 99`,
  `fold frames/prompts.jsonl store/reconnect.jsonl --at 50%`,
  `fold cli/grok.jsonl | | --parser cursor`,
  `check ${ALL} frames/odd.jsonl`,
  `check failing-run ${PRICED} | --as json | --as junit | --cost 0.3 | --cost 0.31 | --duration 80 | --duration 82`,
  `check failing-run | --silence 1 | --silence 90 | --repeats 2 | --retries 1 | --context 90% | --growth 2`,
  `check frames/tea.jsonl | --no-redact | --context 95 | --growth 12 | --repeats 4 | --retries 5 | --reach boil`,
  `check | frames/prompts.jsonl | absent.jsonl failing-run | frames/tea.jsonl --as junit`,
  `fold | store/reconnect.jsonl | cases/fold/end.jsonl | cases/fold/end.jsonl --at 100%`,
  `check frames/tea.jsonl --as json --reach coding --reach pour`,
  `check frames/odd.jsonl | --silence 60 --context 40 | --reach new --reach old --reach never --cost 0.1 --duration 100`,
  `check frames/prompts.jsonl --reach coding --duration 1 --silence 1`,
  `compare ${ALL} ${PRICED}`,
  `compare | store/reconnect.jsonl store/incomplete.jsonl | failing-run failing-run | failing-run frames/tea.jsonl | frames/tea.jsonl failing-run`,
  `compare frames/demo.jsonl recordings/haiku-tournament.jsonl`,
  `compare frames/prompts.jsonl frames/debugger.jsonl frames/tea.jsonl`,
  `ledger ${ALL} ${PRICED} | | --by model | --by cli | --by chart | --by run | --by turn | --by model --as json`,
  `ledger failing-run frames/tea.jsonl | --by turn --top 3 --as json | --by day --top 0 | --by run --top 1`,
  `ledger frames/odd.jsonl | --by model | --by turn | --by turn --top 2`,
  `ledger failing-run | --since 2026-05-13 | --since 2026-05-12`,
  `check | cases/check/odd.jsonl --duration 2 | guest/hermes.log --parser guest/hermes-parser.cjs --reach x`,
  `compare cases/compare/a.jsonl | cases/compare/b.jsonl | cases/compare/c.jsonl | cases/compare/b.jsonl cases/compare/c.jsonl`,
  `compare cases/compare/one.jsonl | cases/compare/other.jsonl | cases/compare/session | cases/compare/long.jsonl`,
  `compare cases/compare/many.jsonl cases/compare/more.jsonl`,
  `compare cases/compare/one.jsonl cases/compare/a.jsonl failing-run ${PRICED}`,
  `ledger cases/ledger/runs --no-stores | | --by directory`,
  `ledger ${["runs/b", "runs", "runs/b/transcript.jsonl", "runs/a/../b"].map(one => `cases/ledger/${one}`).join(" ")} --by run --no-stores`,
  `ledger cases/ledger/change --by model`,
  `export guest/hermes.log --as md --parser | guest/hermes-parser.cjs | nobody-made-this`,
  `ledger cases/ledger/later/runs --by turn --no-stores | | --as json`,
  ...["attach", "replay", "run", "demo", "sessions", "fold", "export", "compare", "check", "search", "ledger"].map(
    command => `help ${command}`,
  ),
  ...["acp-tee", "hook", "agent", "config", "completion", "help"].map(command => `help ${command}`),
  `| --help | completion bash | completion zsh | completion fish | hook --print`,
)

test.each(TOLD)("%s", async line => expect(await called(line, fixtures)).toMatchSnapshot())

const FOUND = lines(
  `search | refund nowhere failing-run | tea frames/tea.jsonl --parser claude`,
  `search refund failing-run | | --where error | --where "invokeid=coder turn>1" | --where cost>0.05 ${PRICED}`,
  `search | tea ${ALL} | POUR frames/tea.jsonl | "sk-0123" frames/tea.jsonl | 茶 frames/tea.jsonl | nowhere failing-run | "" failing-run`,
  `search "no such file" agents/claude-2.1.331-tools.jsonl cli/cursor.jsonl`,
  `search kettle cases/search/tea | | --where "session=j.1 event=llm/request" | --where session=none`,
  `search typescript guest/hermes.log --parser guest/hermes-parser.cjs | | --where tool=read`,
  ...['"how to approach"', "/home/user/project", '"no such words"'].map(
    text => `search ${text} guest/hermes.log --parser guest/hermes-parser.cjs`,
  ),
  `search | "┊ read" guest/hermes.log | "warning of the shell" guest/run-log.ndjson | x . --parser guest/hermes-parser.cjs`,
  `search kept cases/search/kept/a.jsonl cases/search/deep/down`,
  `search | k.ttle cases/search/tea | "Kettle,\nplease" cases/search/tea | NEEDLE cases/search/long.jsonl | vat cases/search/colon`,
  `search "a" frames/tea.jsonl --where "tool=pour or prompt"`,
)

// How wide its columns are depends on how many hits come at once.
test.each(FOUND)("%s", async line => {
  expect((await called(line, fixtures)).replace(/ {2,}/g, "  ")).toMatchSnapshot()
})

const WRONG = lines(
  `| nonsense | rpelay x | --nonsense | --plian | fold --at | fold | fold "" | fold nowhere.jsonl | fold /dev/null`,
  `fold frames/tea.jsonl --segments xml | export frames/tea.jsonl failing-run --as md`,
  `| atach | watch | help exprot | --colour | --theme blue | demo --tehme dark | demo --timeout 3 | run --timeout 3 -- true`,
  `| check --silense 3 | agent --fualt 3 | agent frames/tea.jsonl --port 99999 | replay agents | replay nowhere`,
  `fold frames/tea.jsonl | --at | --at noon | --at 101% | --at -1 | --ta 3 | --prices nowhere | --prices README.md`,
  `fold cli/cursor.jsonl --parser nonsense`,
  `check | --as xml failing-run | failing-run --silence 0 | failing-run --silence x | failing-run --repeats 1.5`,
  `check failing-run | --repeats 1 | --retries 0 | --context 0 | --context 101 | --growth 0.5 | --cost -1 | --duration x`,
  `compare | | failing-run | failing-run nowhere | --by x`,
  `ledger | failing-run --by week | failing-run --as csv | failing-run --since soon | nowhere | failing-run --top x`,
  `search | | x nowhere | x failing-run --where "tokens~1" | x failing-run --where "茶 (error" | x failing-run --where foo=1`,
  `export | | failing-run | failing-run --as pdf | failing-run --as jsonl --segments xml | failing-run --as md --segments x`,
  `export | failing-run --as md --otlp-content | failing-run --as jsonl --otlp-content | failing-run --as md -o failing-run | nowhere --as md`,
  `export failing-run --as md | --session-dir nowhere | --where "(" | --where "error and seqq=3" | -o nowhere/at/all.md | -o failing-run/transcript.jsonl`,
  `| fold README.md | replay README.md | export README.md --as md | compare README.md | search x README.md | agent README.md`,
  `| check README.md | ledger README.md`,
  `agent | | nowhere | frames/tea.jsonl x | frames/tea.jsonl --speed x | frames/tea.jsonl --fault x | frames/tea.jsonl --as x`,
  `replay | | nowhere --at x | frames/tea.jsonl more | frames/tea.jsonl --speed -1 | frames/tea.jsonl --theme nonsense`,
  `replay frames/tea.jsonl | --times x | --colors 17 | --segments x | --pause-at "(" | --trace ftp://x | --keep x`,
  `replay frames/tea.jsonl | --timing slow | --speed 0 | --speed | --at +34:99 | --record x`,
  `attach | localhost | ws://192.0.2.1/ws | ws://127.0.0.1:1/ws more | --timeout soon | ftp://x | :0 | 99999 | --timeout x | --port 1 | ws://a:b@host/`,
  `run | | -- | --nonsense -- true | --parser x -- true`,
  `| demo x | config x | completion tcsh | completion | help nonsense | hook x | sessions a b | sessions --as xml`,
)

test.each(WRONG)("a wrong call %s", async line => expect(await called(line, fixtures)).toMatchSnapshot())

const VARIABLES: readonly (readonly [name: string, ...values: readonly string[]])[] = [
  ["OPENTUI_REPLAY", "nowhere", "/dev/zero", "agents"],
  ["OPENTUI_WS_PORT", "x", "1e3", "0x1F90", "8080.0", "+8080", "0", "65536"],
  ["OPENTUI_WS_URL", "http:/", "http://127.0.0.1/"],
  ["OPENTUI_WS_TOKEN", "s p"],
  ["OPENTUI_TIMES", "long"],
  ["OPENTUI_COLORS", "17"],
  ["OPENTUI_PRICES", "nowhere"],
  ...["MOUSE", "ASCII", "BELL", "READ_ONLY", "PLAIN", "ALLOW_REMOTE"].map(
    name => [`OPENTUI_${name}`, "maybe"] as const,
  ),
]

test.each(VARIABLES.flatMap(([name, ...values]) => values.map(value => [name, value] as const)))(
  "a variable that is wrong %s=%s",
  async (name, value) =>
    expect(await called("", fixtures, { OPENTUI_WS_PORT: "3737", [name]: value })).toMatchSnapshot(),
)
