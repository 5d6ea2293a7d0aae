// Lists the stories, or draws the one that is named at every size: `bun run stories [NAME]`.
import { type CapturedFrame, type CapturedSpan, type RGBA, TextAttributes } from "@opentui/core"
import { endScreens } from "../screen/screen.tsx"
import { stories } from "./stories.ts"
import { SIZES, type Story, tell } from "./story.ts"

async function main([name]: readonly string[]): Promise<number> {
  if (name === undefined) {
    const width = Math.max(...stories.map(story => story.name.length))
    for (const { name, about } of stories) print(`${name.padEnd(width)}  ${about}`)
    return 0
  }
  const named = stories.filter(story => story.name === name)
  const meant =
    named.length > 0 ? named : stories.filter(story => story.panel === name || story.name.startsWith(`${name}-`))
  if (meant.length === 0) {
    process.stderr.write(`expected the name of a story or a panel, got ${name}; bun run stories lists them\n`)
    return 2
  }
  for (const story of meant) await draw(story)
  return 0
}

async function draw(story: Story): Promise<void> {
  for (const size of SIZES) {
    const screen = await tell(story, size)
    const coloured = process.stdout.isTTY && !process.env.NO_COLOR
    const rows = coloured ? colouredRows(await screen.frame()) : await screen.rows()
    print(`${story.name} at ${size.columns}x${size.rows}: ${story.about}`, ...rows, "")
    endScreens()
  }
}

function print(...rows: readonly string[]): void {
  process.stdout.write(`${rows.join("\n")}\n`)
}

function colouredRows(frame: CapturedFrame): readonly string[] {
  return frame.lines.map(({ spans }) => `${spans.map(coloured).join("")}\x1b[0m`)
}

function coloured({ text, fg, bg, attributes }: CapturedSpan): string {
  const on = (attribute: number, code: number): readonly number[] => ((attributes & attribute) === 0 ? [] : [code])
  const codes = [
    ...[0, ...on(TextAttributes.BOLD, 1), ...on(TextAttributes.DIM, 2), ...on(TextAttributes.ITALIC, 3)],
    ...[...on(TextAttributes.UNDERLINE, 4), ...on(TextAttributes.INVERSE, 7), ...colour(38, fg), ...colour(48, bg)],
  ]
  return `\x1b[${codes.join(";")}m${text}`
}

/** The terminal's own colour where there is none. */
function colour(kind: 38 | 48, value: RGBA): readonly number[] {
  return value.a === 0 ? [] : [kind, 2, ...value.toInts().slice(0, 3)]
}

// A pipe that is read only in part, as by head, closes early.
process.stdout.on("error", () => process.exit())
process.exitCode = await main(process.argv.slice(2))
