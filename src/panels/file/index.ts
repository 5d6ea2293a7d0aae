// A file of the session directory.
import { codeLines } from "../../ui/highlight-code.ts"
import { line, span } from "../../ui/line.ts"
import type { OpenFile } from "../../view/directory-files.ts"
import type { State } from "../../view/state.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText, type Pager, type PageText, plainText } from "../common/pager/pager-text.ts"
import type { Panel } from "../common/panel.ts"

export const filePanel = {
  overlays: { file: pageOverlay({ text: (state, { name }) => filePage(state, name) }) },
} satisfies Panel

/** A file that was opened is one value, and laid out once. */
const texts = new WeakMap<OpenFile, PageText>()

function filePage({ files }: State, name: string): Pager {
  const { open } = files
  if (open === null || open.name !== name) return { title: "FILE", text: linesText([line(span("Reading…", "dim"))]) }
  const title = `FILE  ${open.title}${open.isCut ? " (first part)" : ""}`
  const known = texts.get(open)
  const text = known ?? fileText(open)
  texts.set(open, text)
  return { title, text }
}

/** Each line gets its colours when it is shown, so that a long file costs no more than a short one. */
function fileText({ text, why }: OpenFile): PageText {
  if (text === "") return linesText([line(span("Empty file", "dim"))])
  if (text === null) return linesText([line(span(why ?? "Can't read this file", "warn"))])
  const plain = plainText(text)
  return { ...plain, line: index => codeLines(plain.plain(index), Number.POSITIVE_INFINITY)[0] ?? plain.line(index) }
}
