// Provides one question of each type, and the commands sent to the agent.
import type { Command } from "../../../packages/wire/src/command.ts"
import { line } from "../../run/lines.ts"
import type { Shown } from "../../screen/screen.tsx"

export function asks(id: string, type: string, opts: object) {
  return line({ kind: "prompt", "prompt-id": id, invokeid: "judge", type, opts })
}

export const haiku = asks("win#1", "select", {
  prompt: "Which haiku wins?",
  options: [
    { label: "First snow falls", value: { poem: 1 } },
    { label: "Winter holds its breath", value: false },
    "none of them",
  ],
})
export const extras = asks("extra#2", "multi", {
  prompt: "Anything with it?",
  options: [
    { label: "Oat milk", value: "oat" },
    { label: "An extra shot", value: { shots: 2 } },
    { label: "Nothing that melts", value: false },
  ],
})
export const sure = asks("sure#3", "confirm", { prompt: "Start the machine?" })
export const name = asks("name#4", "text", { prompt: "Which name goes on the cup?" })

/** What was sent to the agent, once nothing can be taken back any more. */
export function sent(screen: Shown): readonly Command[] {
  if (screen.store.get().view.questions.heldAnswer !== null) screen.pass(2000)
  return screen.effects.flatMap(one => (one.type === "agent/send" ? [one.command] : []))
}
