// Checks the server's own web page in a real browser: the wizard, the agent's form, a run.
import { openBrowser } from "./browser.ts"
import { check, say } from "./checks.ts"
import type { Server } from "./server.ts"

interface Shown {
  /** The beginning of the company's paths. */
  readonly prefix: string
  readonly agentId: string
  readonly runId: string
}

/**
 * Mends the page's worker for parsers, whose first lines assign to globals that have no setter. The worker is made of a
 * text in the page; the page's files can't be changed on their way, because its service worker fetches them.
 */
const MENDED = `
  const Plain = Blob
  const mend = part => typeof part === "string" ? part.replace(/^self\\.\\w+ = _undefined;$/gm, "try { $& } catch {}") : part
  globalThis.Blob = class extends Plain {
    constructor(parts = [], options) {
      super(parts.map(mend), options)
    }
  }`

/** Reported as skipped where there is no Chromium. Pictures go to the directory `pictures`. */
export async function checkPages(server: Server, { prefix, agentId, runId }: Shown, pictures: string): Promise<void> {
  const browser = await openBrowser(pictures)
  if (browser === null) {
    say("skip the web page: no Chromium here (apt-get install chromium)")
    return
  }
  const base = `${server.url}/${prefix}/agents`
  try {
    for (const isTested of [false, true]) {
      const how = isTested ? "after its test" : "without its test"
      await browser.open(`${base}/new?name=Wizard%20${isTested}&adapterType=escapement_local`)
      check(`the wizard offers its test (${how})`, await browser.shows("Run test"), await browser.text())
      if (isTested) {
        await browser.click("Run test")
        check("its test says that a chart is missing", await browser.shows("Test again"), await browser.text())
        await browser.click("Test details")
        check(
          "and where to set it",
          await browser.shows("Edit configuration → Configuration → Chart"),
          await browser.text(),
        )
        await browser.picture("wizard-tested")
      }
      check(`the wizard can be finished ${how}`, await browser.click("Finish setup"), await browser.text())
      check(`the agent is ready ${how}`, await browser.shows("Edit configuration"), await browser.text())
      await browser.picture(isTested ? "wizard-finished-after-test" : "wizard-finished")
    }
    await browser.click("Edit configuration")
    const fields = ["Chart", "Prompt template", "Parameters", "Work directory", "Log level"]
    for (const field of fields) check(`the form has ${field}`, await browser.shows(field), await browser.text())
    await browser.picture("agent-form")

    await browser.open(`${base}/${agentId}/runs/${runId}`)
    check("a run's page shows its end and its tokens", await browser.shows(/succeeded[\s\S]*Input\s+150/))
    check("and its lines as they are", await browser.shows("planner │ I look."), await browser.text())
    await browser.picture("run")

    await browser.prepare(MENDED)
    await browser.open(`${base}/${agentId}/runs/${runId}`)
    const isRead = await browser.shows(/INIT\s*model as the chart says[\s\S]*All is done\.[\s\S]*150 \/ 25 \/ \$0\.03/)
    check("with its worker mended the page reads them with our parser", isRead, await browser.text())
    await browser.picture("run-mended")
  } finally {
    await browser.close()
  }
  say(`pictures of the page: ${pictures}`)
}
