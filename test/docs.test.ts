// Holds the texts to the program: what they name exists, and what exists is named.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import packageJson from "../package.json"
import { help } from "../src/cli/help.ts"
import { quotes } from "./bench/quote.ts"
import { roomTable } from "./boundaries.ts"
import { root } from "./fixtures.ts"
import { PICTURE, screenshot } from "./picture/screenshot.tsx"
import { keyTable, printedIn } from "./picture/tables.ts"

const readme = await textOf("README.md")
/** What a user reads: the page that comes first, and the one that goes through each part. */
const manual = readme + (await textOf("docs/guide.md"))

/** What the agent sets or reads and we do not look at (docs/contract.md section 1). */
const NOT_OURS = ["BUN_BIN", "ESCAPEMENT_SESSION_ID", "OPENTUI_DIR"]

describe("the README", () => {
  test("has the keys of the key table and the rooms of the boundary test (bun run tables)", () => {
    expect(printedIn(readme)).toEqual({ keys: keyTable(), rooms: `${roomTable()}\n` })
  })

  test("names every variable that is read, and of the others only the agent's own", async () => {
    const options = (await textOf("src/cli/options.ts")) + (await textOf("src/cli/screen-options.ts"))
    const read = all(options, /\benv\.([A-Z_]+)\b/g)
    expect(read).toContain("OPENTUI_WS_URL")
    const named = all(
      manual,
      /`((?:OPENTUI|ESCAPEMENT|AUTOBYTEUS|NO|BUN|XDG)_[A-Z_]+|TERM|COLORTERM|VISUAL|EDITOR|TMUX|STY)/g,
    )
    expect(named).toEqual([...read, ...NOT_OURS].sort())
  })

  test("names every flag of the help, and no other, with the guide", () => {
    const flags = (text: string) => all(text, /(?<![\w-])(--[a-z][a-z-]+)/g)
    const scripted = ["--hold", "--log"]
    expect(flags(manual)).toEqual(flags(help).filter(flag => !scripted.includes(flag)))
  })

  test("names every command of the help", () => {
    const commands = all(help, /^opentui-sidecar ([a-z]+) /gm)
    expect(commands).toContain("replay")
    expect(commands.filter(command => !readme.includes(`\`opentui-sidecar ${command}`))).toEqual([])
  })

  test("names only scripts that exist", () => {
    const scripts = all(manual, /\bbun(?:@[\d.]+)? run ([a-z:]+)(?![\w/])/g)
    expect(scripts).toContain("demo")
    expect(scripts.filter(script => !Object.hasOwn(packageJson.scripts, script))).toEqual([])
  })

  test("shows the screen as it is (bun run screenshot)", async () => {
    const [kept, drawn] = [await Bun.file(PICTURE).text(), await screenshot()]
    expect(kept === drawn).toBe(true)
  })
})

test("figures are those that were measured (bun run bench)", () => {
  for (const { path, has, should } of quotes()) expect([path, has]).toEqual([path, should])
})

test("links lead to files and headings that exist", async () => {
  const pages = [
    "README.md",
    "CHANGELOG.md",
    "fixtures/README.md",
    ...new Bun.Glob("docs/*.md").scanSync({ cwd: root }),
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

/** The first group of every match, each once and sorted. */
function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found]) => found ?? ""))].sort()
}

/** Headings of a page as the anchors that a link names. */
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
