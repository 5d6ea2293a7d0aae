// The list of artifacts.
import { type Line, line, rowClick, span, wrap } from "../../ui/line.ts"
import { clip, count, duration, pad, sizeWords } from "../../ui/text-width.ts"
import { clamp, type SeenRows, seenAround, stepOf } from "../../view/cursor-step.ts"
import type { Artifact } from "../../view/directory-files.ts"
import type { Move } from "../../view/intent.ts"
import { alter, nothing, only, openFile, type Plan, type ViewContext } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { close, help, nextTab, OPEN } from "../common/keys.ts"
import type { Panel, Place } from "../common/panel.ts"

const isFilled = ({ files }: State) => (files.artifacts ?? []).length > 0

export const artifactsPanel = {
  keys: {
    group: "Inspector",
    scopes: [
      {
        id: "artifacts",
        kind: "tab",
        keys: [
          { ...OPEN, id: "artifacts/open", when: isFilled },
          {
            id: "artifacts/show",
            keys: ["o"],
            title: "open the artifact in your viewer ($OPENTUI_VIEWER, $VISUAL, $EDITOR)",
            words: "external program show file",
            hint: "open",
            when: isFilled,
          },
          nextTab,
          close,
          help,
        ],
      },
    ],
  },
  updates: {
    "artifacts/open": state => {
      const artifact = artifactUnder(state)
      return artifact === null ? nothing : openFile(state, artifact)
    },
    "artifacts/show": state => {
      const artifact = artifactUnder(state)
      return artifact === null ? nothing : only({ type: "file/open", name: artifact.name })
    },
  },
  tabs: {
    artifacts: {
      scope: "artifacts",
      move: moveArtifacts,
      measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      title: artifactsTitle,
      lines: artifactLines,
      seen: artifactsSeen,
    },
  },
} satisfies Panel

function moveArtifacts(state: State, by: Move, context: ViewContext): Plan {
  const all = state.files.artifacts ?? []
  const from = artifactRow(state)
  const to = clamp(from + stepOf(by, from, { ...context, lines: all.length }), 0, Math.max(0, all.length - 1))
  return alter(state.view.inspector, { artifact: all[to]?.name ?? null })
}

function artifactUnder(state: State): Artifact | null {
  return state.files.artifacts?.[artifactRow(state)] ?? null
}

/** Columns of size and age, where there is room and where there is little. */
const ROOMY = { size: 12, age: 10 }
const TIGHT = { size: 8, age: 6 }

/** The heading and the rows that fit around the cursor. */
function artifactLines(state: State, place: Place): readonly Line[] {
  const { render: context, columns } = place
  const { artifacts, artifactsWhy, artifactsAt } = state.files
  const none = (words: string) => wrap(words, columns).map(text => line(span(text, "dim")))
  if (state.directory === null) return none("No session directory. Start with --session-dir DIR")
  if (state.directory.error !== null) return none(`Can't use the session directory: ${state.directory.error}`)
  if (artifactsWhy !== null) return none(artifactsWhy)
  if (artifacts === null) return none("Reading…")
  if (artifacts.length === 0) return none("No artifacts yet")
  const widths = columns < 60 ? TIGHT : ROOMY
  const name = Math.max(8, columns - widths.size - widths.age)
  const heading = line(
    span(pad("   artifact", name) + pad("size", widths.size, "right") + pad("age", widths.age, "right"), "dim"),
  )
  const cursor = artifactRow(state)
  const { top, rows } = artifactsSeen(state, place)
  const shown = artifacts.slice(top, top + rows).map(({ title, size, changedAt, refused }, i) => {
    const here = top + i === cursor
    const age = Math.max(0, (artifactsAt ?? changedAt) - changedAt)
    const spans = [
      span(here ? `${context.glyphs.bar}  ` : "   ", "accent"),
      span(pad(clip(title, name - 4, context.glyphs.ellipsis), name - 3), here ? "bright" : "normal", { bold: here }),
      span(pad(refused ? "refused" : sizeWords(size), widths.size, "right"), refused ? "warn" : "normal"),
      span(pad(refused ? "" : ageWords(age), widths.age, "right"), "dim"),
    ]
    return { spans, selected: here, click: rowClick(top + i, here) }
  })
  return [heading, ...shown]
}

function artifactsSeen(state: State, { rows, top }: Place): SeenRows {
  return seenAround(artifactRow(state), Math.max(1, rows - 1), (state.files.artifacts ?? []).length, top)
}

function artifactsTitle({ files }: State): string {
  return files.artifacts === null ? "" : `${files.hasMoreArtifacts ? "first " : ""}${count(files.artifacts.length)}`
}

function ageWords(ms: number): string {
  return ms < 172_800_000 ? duration(ms) : `${count(ms / 86_400_000)} days`
}

function artifactRow({ files, view }: State): number {
  const row = (files.artifacts ?? []).findIndex(one => one.name === view.inspector.artifact)
  return Math.max(0, row)
}
