// The program, which fails on demand from outside it: in a timer, a promise, a key, for want of memory, or as it draws.
const { on } = process
process.on("SIGUSR2", () =>
  setTimeout(() => {
    throw new Error("a fault\x1b[2J of a timer")
  }, 1),
)
process.on("SIGUSR1", () => void Promise.reject(new Error("a promise that nobody keeps")))
process.on("SIGXCPU", () => setTimeout(() => new Uint8Array(2 ** 52), 1))
Object.assign(process, {
  // What the program does at these signals would end it.
  on: (name: string, ...rest: readonly unknown[]) =>
    /^SIG(USR|XCPU)/.test(name) ? process : Reflect.apply(on, process, [name, ...rest]),
})

// Every key and every non-ASCII line passes through this.
const { includes } = Array.prototype
Object.assign(Array.prototype, {
  includes(this: readonly unknown[], ...sought: readonly [unknown, number?]): boolean {
    if (sought[0] === "f9") throw new Error("a fault of a key")
    return Reflect.apply(includes, this, sought)
  },
})

const { stringWidth } = Bun
process.on("SIGXFSZ", () => {
  Object.assign(Bun, {
    // Only after the lines are made, so that it is outside every pane's fault boundary.
    stringWidth: (text: string) => {
      if (/\bdrawText\b/.test(new Error().stack ?? "")) throw new Error("a fault of all that is drawn")
      return stringWidth(text)
    },
  })
  process.stdout.emit("resize")
})
Object.assign(Bun, { stringWidth })

await import("../../src/main.tsx")

export {}
