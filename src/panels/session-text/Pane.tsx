// The pane of a session's text, and the reader that shows it full screen.
import type { JSX } from "solid-js"
import type { TranscriptText } from "../../transcript/transcript.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { type Line, line, span } from "../../ui/line.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { placeWords } from "../../ui/text-width.ts"
import { sessionsToRecall } from "../../view/recalled-texts.ts"
import { readText, shownSession } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { foundWords } from "../common/find-text.ts"
import { usePlace } from "../common/use-place.ts"

/** The text of the selected session, or of the one that asks, whole, as it streams. */
export function TextPane(props: { rect: Rect; focused: boolean; raised?: boolean }): JSX.Element {
  const { state } = useScreen()
  const place = usePlace(() => props.rect)
  const transcript = () => place().transcripts[props.raised === true ? "reader" : "pane"]
  const lines = (): readonly Line[] => {
    const { columns, rows, render } = place()
    const { run } = state()
    const index = shownSession(state())
    if (index === null) return [line(span("Select a session to read it", "dim"))]
    const text = readText(state())
    transcript().update(run, { ...text, session: index }, { columns, rows }, render)
    const made = transcript().window(props.focused ? text.at : null)
    return made.length === 0 ? [line(span(waiting(state(), index), "dim"))] : made
  }
  return (
    <TitledBox
      {...(props.raised === true ? {} : { pane: "text" as const })}
      rect={props.rect}
      focused={props.focused}
      raised={props.raised ?? false}
      title={textTitle(state(), transcript(), place().rows)}
    >
      <Canvas lines={lines()} />
    </TitledBox>
  )
}

function waiting(state: State, index: number): string {
  return state.run.turnBuffers[index]?.status === "waiting" ? "Waiting for the first token" : "No messages"
}

/** The session, its model, its turn, and the place in the text. */
function textTitle(state: State, transcript: TranscriptText, rows: number): string {
  const { run } = state
  const index = shownSession(state)
  const session = index === null ? undefined : run.sessions[index]
  const invocation = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || invocation === undefined) return "TEXT"
  const model = run.turnBuffers[index ?? -1]?.model ?? null
  const reading = readText(state)
  const place = reading.first === null ? "" : placeWords(transcript.top, rows, transcript.length)
  const found = foundWords(transcript, reading)
  const parts = [
    invocation.title,
    ...(invocation.sessions.length > 1 ? [session.label] : []),
    ...(model === null ? [] : [model]),
  ]
  const turn = session.turns > 1 ? `   turn ${session.turns}` : ""
  return `${parts.join("   ")}${turn}${place}${found}${sessionsToRecall(state).length > 0 ? " · reading from disk" : ""}`
}
