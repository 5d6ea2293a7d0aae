// Tests the documentation against the program: printed tables, names, links, figures, words and the glossary.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import packageJson from "../package.json"
import { AGENT_OPTIONS } from "../src/cli/agent-command.ts"
import { COMMANDS } from "../src/cli/manual/commands.ts"
import { helpText } from "../src/cli/manual/help.ts"
import type { Option } from "../src/cli/option.ts"
import { SETTINGS } from "../src/cli/option-table.ts"
import { readOptions } from "../src/cli/options.ts"
import { commands, keymap } from "../src/panels/index.ts"
import { rankOf } from "../src/panels/palette/match.ts"
import { KEYS, WORDS } from "../src/query/filter/filter.ts"
import { EXPORT_FORMATS } from "../src/run/select/export-format.ts"
import { quoted } from "../tools/bench/quote.ts"
import { LOG_PICTURE, logPicture } from "../tools/picture/adapter-log.ts"
import { MOVING_PICTURE, movingPicture } from "../tools/picture/demo.ts"
import { SEGMENTS_PICTURE, segmentsPicture } from "../tools/picture/parser-run.ts"
import { PICTURE, screenshot } from "../tools/picture/screenshot.tsx"
import { keyLines, printedTables, tableIn } from "../tools/picture/tables.ts"
import { root } from "./fixtures.ts"
import { endScreens } from "./screen/open-screens.ts"

const names = COMMANDS.map(({ name }) => name).filter(name => name !== "")
const help = [null, ...names].map(helpText).join("\n")
const readme = await textOf("README.md")
const reference = await textOf("docs/reference.md")
/** The pages for users. */
const pages = ["guide", "troubleshooting", "contributing"].map(name => textOf(`docs/${name}.md`))
const manual = [readme, reference, ...(await Promise.all(pages))].join("\n")

/** Variables of the agent that we do not read (docs/contract.md section 1). */
const NOT_OURS = ["BUN_BIN", "OPENTUI_DIR"]

test.each(printedTables.map(({ page, marker, table }) => [page, marker, table] as const))(
  "%s has the table of %s (bun run tables)",
  async (page, marker, table) => expect(tableIn(await textOf(page), marker)).toBe(table()),
)

describe("the README", () => {
  test("fits on two screens, and begins with what a newcomer types, from the clone on", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(120)
    expect(commandsIn(readme).slice(0, 4)).toEqual([
      "git clone <this repository> opentui-sidecar && cd opentui-sidecar",
      "npx -y bun@1.4.5 run demo",
      "npx -y bun@1.4.5 run test",
      "bin/opentui-sidecar",
    ])
    expect(packageJson.packageManager).toBe("bun@1.4.5")
  })

  test("names only keys of the key table", () => {
    const keys = new Set(keyLines(keymap.bindings).flatMap(({ shown }) => shown.split(" ")))
    const first = all(readme, /^\| (`[^|]+`) \|/gm)
    const named = first.flatMap(cell => cell.split(" ").map(key => key.slice(1, -1)))
    expect(named).toContain("?")
    expect(named.filter(key => !keys.has(key))).toEqual([])
  })
})

describe("the pages for users", () => {
  test("name every variable that we read, and of others only the agent's own", async () => {
    const sources = ["options", "screen-options", "source-options", "config-file"]
    const text = (await Promise.all(sources.map(name => textOf(`src/cli/${name}.ts`)))).join("\n")
    const own = Object.values<Option>(SETTINGS).flatMap(({ variable = "" }) => variable.match(/[A-Z]\w+/g) ?? [])
    const read = [...new Set([...all(text, /\benv\.(?!HOME\b)([A-Z_]+)\b/g), ...own])]
    expect(read).toContain("OPENTUI_WS_URL")
    const named = all(
      manual,
      /`((?:NODE|OPENTUI|ESCAPEMENT|AUTOBYTEUS|NO|BUN|XDG|OTEL)_[A-Z_]+|TERM|COLORTERM|COLORFGBG|VISUAL|EDITOR|PAGER|TMUX|STY)/g,
    )
    expect(named).toEqual([...read, ...NOT_OURS].sort())
  })

  test("name exactly the flags of the help", () => {
    const flags = (text: string) => all(text, /(?<![\w-])(--[a-z][a-z-]+)/g)
    const scripted = Object.keys(AGENT_OPTIONS).map(name => `--${name}`)
    const ours = flags(help).filter(flag => !scripted.includes(flag))
    expect(ours.filter(flag => !manual.includes(flag))).toEqual([])
    expect(flags(manual).filter(flag => !flags(help).includes(flag))).toEqual([])
  })

  test("name every export format, and docs/filter.md every key and word of a filter", async () => {
    expect(EXPORT_FORMATS.filter(name => !manual.includes(`\`${name}\``) && !manual.includes(` ${name}`))).toEqual([])
    const filters = await textOf("docs/filter.md")
    expect([...KEYS, ...WORDS].filter(word => !new RegExp(`\\b${word}\\b`).test(filters))).toEqual([])
  })

  test("name no option that nothing reads", async () => {
    const readers = ["options", "screen-options", "source-options", "check/finding-limits"]
    const text = (await Promise.all(readers.map(name => textOf(`src/cli/${name}.ts`)))).join("\n")
    const isRead = (name: string) =>
      new RegExp(`\\.${name}\\b|\\["${name}"\\]|[{,] "?${name}"?[,: ]|given\\("${name}"`).test(text)
    expect(Object.keys(SETTINGS).filter(name => !isRead(name))).toEqual([])
  })

  test("name every command", () => {
    expect(names).toContain("replay")
    expect(names.filter(name => !reference.includes(`\`opentui-sidecar ${name}`))).toEqual([])
  })

  test("name only scripts that exist", () => {
    const scripts = all(manual, /\bbun(?:@[\d.]+)? run ([a-z:]+)(?![\w/])/g)
    expect(scripts).toContain("demo")
    expect(scripts.filter(script => !Object.hasOwn(packageJson.scripts, script))).toEqual([])
  })

  test("name behind a colon only what the palette finds", async () => {
    const others = await Promise.all(["agent", "agents", "traces"].map(name => textOf(`docs/${name}.md`)))
    const named = all([manual, ...others].join("\n"), /`:([a-z][^`]*)`/g)
    expect(named).toContain("step to")
    const rows = [...keymap.bindings, ...Object.values(commands)]
    const isFound = (words: string) =>
      rows.some(row => (rankOf(words, { words: "", ...row }) ?? "letters") !== "letters")
    expect(named.filter(words => !Object.hasOwn(commands, words.replace(/ .*/, "")) && !isFound(words))).toEqual([])
  })

  test("have no command line that the program refuses", async () => {
    const all = [manual, await textOf("docs/packages/opentui-sidecar.md")].flatMap(commandsIn)
    const lines = all.flatMap(line => line.match(/^(?:bin\/)?opentui-sidecar\b *(.*)$/)?.[1] ?? [])
    expect(lines).toContain("run -- my-agent")
    const refused = lines.flatMap(line => {
      const options = readOptions(line.split(/ +/).filter(Boolean), {}, true)
      return options.command === "wrong" && !/no such file/i.test(options.why) ? [options.why] : []
    })
    expect(refused).toEqual([])
  })
})

describe("the pictures (bun run screenshot)", () => {
  test("show the current screen", async () => {
    const [kept, drawn] = [await Bun.file(PICTURE).text(), await screenshot()]
    expect(kept === drawn).toBe(true)
  })

  test("show the current demo in motion, small, without scripts and without anything from elsewhere", async () => {
    const [kept, drawn] = [await Bun.file(MOVING_PICTURE).text(), await movingPicture()]
    endScreens()
    expect(kept === drawn).toBe(true)
    expect(kept.length).toBeLessThan(500_000)
    expect(kept).toMatch(/ \d+(\.\d+)?s step-end infinite/)
    expect(kept.match(/<script|href|url\(|@import|\son\w+=/)).toBeNull()
  })

  test("show what the parser tells of a reply", async () => {
    expect((await Bun.file(SEGMENTS_PICTURE).text()) === (await segmentsPicture())).toBe(true)
  })

  test("show the log that the adapter prints", async () => {
    expect((await Bun.file(LOG_PICTURE).text()) === logPicture()).toBe(true)
  })
})

test("the glossary defines each term once, in order", async () => {
  const terms = [...(await textOf("docs/glossary.md")).matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, term = ""]) => term)
  expect(terms).toContain("frame")
  expect(terms).toEqual([...new Set(terms)].sort(new Intl.Collator("en").compare))
})

test("docs/speed.md has the measured figures (bun run bench)", () => {
  const { has, should } = quoted()
  expect(has).toBe(should)
})

test("every test that a page names exists", async () => {
  const pages = ["README.md", ...new Bun.Glob("docs/*.md").scanSync({ cwd: root })]
  const named = (await Promise.all(pages.map(textOf))).flatMap(text =>
    all(text, /`((?:packages\/[\w-]+\/)?test\/[\w./-]+\.tsx?)`/g),
  )
  expect(named).toContain("test/pty/ways-out.test.ts")
  expect(named.filter(path => !existsSync(join(root, path)))).toEqual([])
})

test.each(["agent", "agent-ai"])("docs/agent.md shows the example %s, which has at most 40 lines", async name => {
  const example = await textOf(`docs/examples/${name}.ts`)
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(40)
  const [, shown] = (await textOf("docs/agent.md")).split(`<!-- example: docs/examples/${name}.ts -->\n`)
  expect(shown).toStartWith(`\`\`\`ts\n${example}\`\`\`\n<!-- /example -->`)
})

test("the pages have at most 26,000 words", async () => {
  const pages = [...new Bun.Glob("docs/*.md").scanSync({ cwd: root })]
  const words = (await Promise.all(pages.map(textOf))).join("\n").match(/\S*[\p{L}\p{N}]\S*/gu) ?? []
  expect(words.length).toBeLessThanOrEqual(26_000)
})

test("every link leads to an existing file and heading", async () => {
  const pages = [
    "README.md",
    "CHANGELOG.md",
    "fixtures/README.md",
    ...new Bun.Glob("{docs,packages}/**/*.md").scanSync({ cwd: root }),
  ]
  const broken: string[] = []
  for (const page of pages) {
    for (const target of all(await textOf(page), /\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path = "", heading] = target.split("#")
      const file = path === "" ? page : join(dirname(page), path)
      const reached = existsSync(join(root, file)) && (heading === undefined || (await anchors(file)).includes(heading))
      if (!reached) broken.push(`${page}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

/** The lines of a page's shell blocks, without comments. */
function commandsIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block)
  return blocks.flatMap(block => block.split("\n").map(line => line.replace(/ +# .*/, ""))).filter(Boolean)
}

/** The first group of every match, unique and sorted. */
function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found]) => found ?? ""))].sort()
}

/** The anchors of a page's headings. */
async function anchors(page: string): Promise<string[]> {
  return all(await textOf(page), /^#+ (.+)$/gm).map(title =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  )
}

function textOf(path: string): Promise<string> {
  return Bun.file(join(root, path)).text()
}
