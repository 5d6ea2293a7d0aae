// Holds a terminal for another program; while it is stopped, nobody reads that terminal.
import { spawn } from "bun"

const program = spawn(process.argv.slice(2), {
  terminal: { cols: 120, rows: 40, data: (_pty, bytes) => void process.stdout.write(bytes) },
})
process.on("SIGTERM", () => program.kill())
process.exitCode = await program.exited
