// Streams AutoByteus' blocks in which another opening tag counts: files, and commands in the safe profile.
import { type Beginning, isBlank, isNext, matchAt } from "../marker.ts"
import { TEXT } from "../parser-state.ts"
import { closeSegment, emitText, replay, type WorkingCopy } from "../working-copy.ts"
import type { NestMode } from "./tool-mode.ts"

/** A file, which may contain whole blocks of its kind. */
export const SAFE_FILE: NestMode = {
  at: "nest",
  close: "</write_file>",
  opening: "<write_file",
  depth: 0,
  fresh: true,
  held: "",
}
/** A command, which another opening tag starts again. */
export const SAFE_BASH: NestMode = {
  at: "nest",
  close: "</run_bash>",
  opening: "<run_bash",
  depth: null,
  fresh: false,
  held: "",
}

/** Streams the text of a block up to its closing tag, or to an opening tag that starts it again. */
export function runNest(copy: WorkingCopy, mode: NestMode): void {
  const { close, opening, depth, held } = mode
  replay(copy, held)
  if (mode.fresh) {
    dropNewline(copy, mode)
    return
  }
  const { text, pos } = copy
  const at = findEnd(text, pos, close, opening)
  const stop = at === -1 ? text.length : at
  const isOpening = mayOpenAgain(text, at, opening) === "yes"
  const isClosing = at !== -1 && matchAt(text, at, close, true) === close.length
  if (depth !== null && (isOpening || (isClosing && depth > 0))) {
    const end = stop + (isOpening ? opening : close).length
    emitText(copy, text.slice(pos, end))
    copy.mode = { ...mode, depth: depth + (isOpening ? 1 : -1), held: "" }
    copy.pos = end
  } else if (isClosing || isOpening) {
    emitText(copy, text.slice(pos, stop))
    closeSegment(copy, undefined, isOpening)
    copy.mode = TEXT
    copy.pos = isClosing ? at + close.length : at
  } else {
    emitText(copy, text.slice(pos, stop))
    const rest = text.slice(stop)
    if (rest !== held) copy.mode = { ...mode, held: rest }
    copy.pos = text.length
  }
}

/** Drops a line break at the beginning of a file; a lone carriage return waits for what follows. */
function dropNewline(copy: WorkingCopy, mode: NestMode): void {
  const { text, pos } = copy
  const isHalf = text.endsWith("\r") && pos === text.length - 1
  copy.mode = { ...mode, fresh: isHalf, held: isHalf ? "\r" : "" }
  const isDropped = isHalf || text.startsWith("\n", pos)
  copy.pos += isDropped ? 1 : text.startsWith("\r\n", pos) ? 2 : 0
}

/** The position of a closing tag, of another opening tag, or of the beginning of either at the text's end. */
function findEnd(text: string, from: number, close: string, opening: string): number {
  let at = text.indexOf("<", from)
  while (at !== -1 && matchAt(text, at, close, true) === -1 && mayOpenAgain(text, at, opening) === "no") {
    at = text.indexOf("<", at + 1)
  }
  return at
}

/** Whether a whole opening tag's name is at `at`. */
function mayOpenAgain(text: string, at: number, opening: string): Beginning {
  const match = at === -1 ? "no" : isNext(text, at, opening)
  if (match !== "yes") return match
  const next = at + opening.length
  if (next >= text.length) return "more"
  return isBlank(text.charCodeAt(next)) || ">/".includes(text.charAt(next)) ? "yes" : "no"
}
