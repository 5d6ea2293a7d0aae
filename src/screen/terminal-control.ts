// Calls the system for what the runtime can't do: ask who has the terminal, and leave it alone in the background.
import { dlopen } from "bun:ffi"

const IS_MAC = process.platform === "darwin"
const TCOFLUSH = IS_MAC ? 2 : 1
const SIGTTOU = 22
const SIG_IGN = 1

/** Also right for musl, whose loader takes every `libc.` name for its own. */
const LIBC = IS_MAC ? "libSystem.B.dylib" : "libc.so.6"

function open() {
  try {
    return dlopen(LIBC, {
      tcflush: { args: ["i32", "i32"], returns: "i32" },
      tcgetpgrp: { args: ["i32"], returns: "i32" },
      getpgrp: { args: [], returns: "i32" },
      _exit: { args: ["i32"], returns: "void" },
      signal: { args: ["i32", "usize"], returns: "usize" },
    }).symbols
  } catch {
    return null
  }
}

/** Loaded when it is first needed: a start must not wait for it. */
let libc: ReturnType<typeof open> | undefined

function loaded(): ReturnType<typeof open> {
  libc = libc === undefined ? open() : libc
  return libc
}

/** Drops the output that the terminal `fd` has not read yet. */
export function discardOutput(fd: number): void {
  loaded()?.tcflush(fd, TCOFLUSH)
}

/** False while a shell has given the terminal of stdin to another program; changing it would stop or fail us then. */
export function isForeground(): boolean {
  const system = loaded()
  const owner = system?.tcgetpgrp(0) ?? -1
  return owner < 0 || owner === system?.getpgrp()
}

/** From now on a change of the terminal in the background does not stop us. */
export function ignoreBackgroundStops(): void {
  loaded()?.signal(SIGTTOU, SIG_IGN)
}

/** Ends the process without the runtime's own restoring of the terminal's modes, which are another program's now. */
export function exitInBackground(code: number): void {
  loaded()?._exit(code)
}
