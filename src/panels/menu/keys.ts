// The keys that take something out of the program.

import { type Binding, binding } from "../../keys/binding.ts"
import type { Scope } from "../../keys/scope.ts"
import { TABS } from "../../view/inspector.ts"
import type { ExportIntent } from "../../view/intent.ts"

const FROM: readonly Scope[] = ["panes", "reader", "pager", "entry", ...TABS]

const take = (wish: ExportIntent) => () => ({ type: "take", wish }) as const

export const exportKeys: readonly Binding[] = [
  binding("Program", "copy", ["y"], "y", FROM, take("copy"), "copy what is under the cursor", "copy"),
  binding(
    "Program",
    "copy-view",
    ["Y"],
    "Y",
    FROM,
    take("show"),
    "the text without borders and wraps, for the terminal's own selection",
    "copy view",
  ),
  binding("Program", "export", ["x"], "x", FROM, take("export"), "export the run or the session to a file", "export"),
]
