// Lists the stories, or draws those that are named: `bun run stories [NAME [COLUMNSxROWS] [LOOK]]`.
import { type CapturedFrame, type CapturedSpan, type RGBA, TextAttributes } from "@opentui/core"
import { endScreens } from "../../test/screen/open-screens.ts"
import { stories } from "../../test/stories/stories.ts"
import { LOOKS, type Look, SIZES, type Size, type Story, tell } from "../../test/stories/story.ts"

const sizeName = ({ columns, rows }: Size): string => `${columns}x${rows}`

async function main([name, ...chosen]: readonly string[]): Promise<number> {
  if (name === undefined) {
    const width = Math.max(...stories.map(story => story.name.length))
    for (const { name, about } of stories) print(`${name.padEnd(width)}  ${about}`)
    return 0
  }
  const named = stories.filter(story => story.name === name)
  const of = (story: Story): boolean => story.panel === name || story.name.startsWith(`${name}-`)
  const drawn = named.length > 0 ? named : stories.filter(of)
  const sizes = SIZES.filter(size => chosen.includes(sizeName(size)))
  const looks = LOOKS.filter(look => chosen.includes(look.name))
  if (drawn.length === 0 || sizes.length + looks.length < chosen.length) {
    const choices = [...SIZES.map(sizeName), ...LOOKS.map(look => look.name)].join(", ")
    const got = [name, ...chosen].join(" ")
    process.stderr.write(`expected the name of a story or a panel, then any of ${choices}; got ${got}\n`)
    return 2
  }
  for (const story of drawn)
    for (const size of sizes.length > 0 ? sizes : SIZES)
      for (const look of looks.length > 0 ? looks : LOOKS) await draw(story, size, look)
  return 0
}

async function draw(story: Story, size: Size, look: Look): Promise<void> {
  const screen = await tell(story, size, look)
  const rows = process.env.NO_COLOR ? await screen.rows() : colouredRows(await screen.frame(), look)
  print(`${story.name} at ${sizeName(size)}, ${look.name}: ${story.about}`, ...rows, "")
  endScreens()
}

function print(...rows: readonly string[]): void {
  process.stdout.write(`${rows.join("\n")}\n`)
}

function colouredRows(frame: CapturedFrame, look: Look): readonly string[] {
  return frame.lines.map(({ spans }) => `${spans.map(one => coloured(one, look)).join("")}\x1b[0m`)
}

/** What a light terminal has where we draw no colour; the others are taken as they are. */
const PAPER = ["38;2;40;40;40", "48;2;255;255;255"]

function coloured({ text, fg, bg, attributes }: CapturedSpan, { name }: Look): string {
  const on = (attribute: number, code: number): readonly number[] => ((attributes & attribute) === 0 ? [] : [code])
  const codes = [
    ...[0, ...on(TextAttributes.BOLD, 1), ...on(TextAttributes.DIM, 2), ...on(TextAttributes.ITALIC, 3)],
    ...[...on(TextAttributes.UNDERLINE, 4), ...on(TextAttributes.INVERSE, 7), ...(name === "light" ? PAPER : [])],
    ...[...colour(38, fg), ...colour(48, bg)],
  ]
  return `\x1b[${codes.join(";")}m${text}`
}

/** The terminal's own colour where there is none, and its palette's for one that has a number there. */
function colour(kind: 38 | 48, value: RGBA): readonly number[] {
  if (value.a === 0 || value.intent === "default") return []
  return value.intent === "indexed" ? [kind, 5, value.slot] : [kind, 2, ...value.toInts().slice(0, 3)]
}

// A pipe that is read only in part, as by head, closes early.
process.stdout.on("error", () => process.exit())
process.exitCode = await main(process.argv.slice(2))
