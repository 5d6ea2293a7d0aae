// Shows the artifacts of the run with size and age.
import { type Line, line, type RenderContext, span, wrap } from "../../ui/line.ts"
import { clip, count, duration, pad, sizeWords } from "../../ui/text-width.ts"
import { windowTop } from "../../view/cursor-step.ts"
import type { State } from "../../view/state.ts"

/** Columns of size and age, where there is room and where there is little. */
const ROOMY = { size: 12, age: 10 }
const TIGHT = { size: 8, age: 6 }

/** The heading and the rows that fit around the cursor. */
export function artifactLines(state: State, context: RenderContext, columns: number, rows: number): readonly Line[] {
  const { artifacts, artifactsWhy, artifactsAt } = state.files
  const none = (words: string) => wrap(words, columns).map(text => line(span(text, "dim")))
  if (state.directory === null) return none("No session directory. Start with --session-dir DIR")
  if (state.directory.error !== null) return none(`Can't use the session directory: ${state.directory.error}`)
  if (artifactsWhy !== null) return none(artifactsWhy)
  if (artifacts === null) return none("Reading…")
  if (artifacts.length === 0) return none("No artifacts yet")
  const place = columns < 60 ? TIGHT : ROOMY
  const name = Math.max(8, columns - place.size - place.age)
  const heading = line(
    span(pad("   artifact", name) + pad("size", place.size, "right") + pad("age", place.age, "right"), "dim"),
  )
  const height = Math.max(1, rows - 1)
  const cursor = artifactRow(state)
  const top = windowTop(Math.max(0, cursor - Math.floor(height / 2)), cursor, height, artifacts.length)
  const shown = artifacts.slice(top, top + height).map(({ title, size, changedAt, refused }, i) => {
    const here = top + i === cursor
    const age = Math.max(0, (artifactsAt ?? changedAt) - changedAt)
    const spans = [
      span(here ? `${context.glyphs.bar}  ` : "   ", "accent"),
      span(pad(clip(title, name - 4, context.glyphs.ellipsis), name - 3), here ? "bright" : "normal", { bold: here }),
      span(pad(refused ? "refused" : sizeWords(size), place.size, "right"), refused ? "warn" : "normal"),
      span(pad(refused ? "" : ageWords(age), place.age, "right"), "dim"),
    ]
    return here ? { spans, selected: true } : { spans }
  })
  return [heading, ...shown]
}

export function artifactsTitle({ files }: State): string {
  return files.artifacts === null ? "" : `${files.hasMoreArtifacts ? "first " : ""}${count(files.artifacts.length)}`
}

function ageWords(ms: number): string {
  return ms < 172_800_000 ? duration(ms) : `${count(ms / 86_400_000)} days`
}

export function artifactRow({ files, view }: State): number {
  const row = (files.artifacts ?? []).findIndex(one => one.name === view.inspector.artifact)
  return Math.max(0, row)
}
