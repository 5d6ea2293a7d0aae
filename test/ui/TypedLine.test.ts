// Keeps what the line at the bottom of a pane makes of what is typed and pasted into it, in as much room as there is.
import { expect, test } from "bun:test"
import { type Step, walked } from "../panels/steps.ts"
import { event } from "../run/lines.ts"
import { NOW, show } from "../screen/screen.tsx"

test("a typed line goes on behind what stands there, takes a paste as one line, and marks a mistake as it fits", async () => {
  const start = event(0, "llm/start", { invokeid: "a", "session-id": "s" }, NOW)
  const screen = await show({ columns: 40, rows: 18 }, start)
  const size = (columns: number, rows = 18): Step => [`${columns}x${rows}`, () => screen.resize(columns, rows)]
  const paste = (text: string): Step => [`paste ${JSON.stringify(text)}`, () => screen.paste(text)]
  const steps = ["tab tab f", size(24), size(80), paste("  tokens>\r\n  x\u001b[2J "), "enter", size(40), size(30)]
  const small = [size(30, 10), size(24, 9), "ctrl-u 'error' enter", size(80), "f enter", "' x'", "left left 'y'"]
  expect(await walked(screen, ...steps, ...small, "escape")).toMatchSnapshot()
})
