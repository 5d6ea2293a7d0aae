// The list of files: the artifacts, and the agent's own log.
import { type Line, line, span, wrap } from "../../ui/line.ts"
import { NO_DIRECTORY } from "../../ui/link-words.ts"
import { clip, count, duration, pad, sizeWords } from "../../ui/text-width.ts"
import { AGENT_LOG } from "../../view/directory-files.ts"
import {
  both,
  change,
  frontOverlay,
  nothing,
  only,
  openFile,
  replacing,
  toggleOverlay,
} from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { OPEN, OUTSIDE } from "../common/keys.ts"
import { keyedListOverlay, listLines } from "../common/list/list.ts"
import type { Panel, Place } from "../common/panel.ts"

const isFilled = ({ files }: State) => (files.artifacts ?? []).length > 0

const files = {
  title: "show or hide the files of the run",
  words: "open artifacts directory output wrote",
  run: (state: State) => toggleOverlay(state, { type: "artifacts", cursor: null }),
}

const agentLog = {
  title: "follow the agent's own log",
  words: "logs stderr escapement.log",
  run: (state: State) => both(openFile(state, AGENT_LOG, Number.MAX_SAFE_INTEGER), change({ focus: "text" })),
}

export const artifactsPanel = {
  keys: { group: "Views" },
  updates: {
    "artifacts/open": state => (isFilled(state) ? change({ focus: "text" }) : nothing),
    "artifacts/show": state => {
      const artifact = state.files.artifacts?.[fileRow(state, frontOverlay(state, "artifacts")?.cursor ?? null)]
      return artifact === undefined ? nothing : only({ type: "file/open", name: artifact.name })
    },
  },
  commands: { files, artifacts: files, "agent-log": agentLog },
  overlays: {
    artifacts: keyedListOverlay({
      keys: [
        { ...OPEN, id: "artifacts/open", when: isFilled },
        { id: "artifacts/show", ...OUTSIDE, hint: "open outside", when: isFilled },
      ],
      title: filesTitle,
      length: state => state.files.artifacts?.length ?? 0,
      heading: filesHeading,
      lines: fileLines,
      cursorOf: (state, { cursor }) => fileRow(state, cursor),
      moved: (state, overlay, row) => ({
        overlays: replacing(state, { ...overlay, cursor: state.files.artifacts?.[row]?.name ?? null }),
      }),
      reads({ files: { artifacts } }, cursor) {
        const name = artifacts?.[cursor]?.name
        return name === undefined ? null : { page: { type: "file", name, top: 0, asIs: false } }
      },
    }),
  },
} satisfies Panel

/** The row of a file, which it keeps as others come; of the file that is read if no other was gone to. */
function fileRow({ files, view }: State, cursor: string | null): number {
  const name = cursor ?? view.overlays.findLast(one => one.type === "file")?.name
  return Math.max(0, files.artifacts?.findIndex(one => one.name === name) ?? 0)
}

const WIDTHS = { size: 8, age: 8 }

function widthsFor({ columns }: Place) {
  return { ...WIDTHS, name: Math.max(8, columns - 2 - WIDTHS.size - WIDTHS.age) }
}

function filesHeading(state: State, place: Place): readonly Line[] {
  if (!isFilled(state)) return []
  const { name, size, age } = widthsFor(place)
  return [line(span(`  ${pad("file", name)}${pad("size", size, "right")}${pad("age", age, "right")}`, "dim"))]
}

function fileLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { artifacts, artifactsWhy, artifactsAt } = state.files
  const none = (words: string) => wrap(words, place.columns).map(text => line(span(text, "dim")))
  if (state.directory === null) return none(NO_DIRECTORY)
  if (state.directory.error !== null) return none(`Can't use the session directory: ${state.directory.error}`)
  if (artifactsWhy !== null) return none(artifactsWhy)
  if (artifacts === null) return none("Reading…")
  if (artifacts.length === 0) return none("No files yet")
  const widths = widthsFor(place)
  return listLines(artifacts, cursor, place, ({ title, size, changedAt, refused }, here) => {
    const age = Math.max(0, (artifactsAt ?? changedAt) - changedAt)
    const shown = clip(title, widths.name - 1, place.render.glyphs.ellipsis)
    return [
      span(pad(shown, widths.name), here ? "bright" : "normal", { bold: here }),
      span(pad(refused ? "refused" : sizeWords(size), widths.size, "right"), refused ? "warn" : "normal"),
      span(pad(refused ? "" : ageWords(age), widths.age, "right"), "dim"),
    ]
  })
}

function filesTitle({ files }: State): string {
  const { artifacts, hasMoreArtifacts } = files
  return artifacts === null ? "FILES" : `FILES  ${hasMoreArtifacts ? "first " : ""}${count(artifacts.length)}`
}

function ageWords(ms: number): string {
  return ms < 172_800_000 ? duration(ms) : `${count(ms / 86_400_000)} days`
}
