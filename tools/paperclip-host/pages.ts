// Checks the server's own web page in a real browser: the wizard, the agent's form, a run.
import { openBrowser } from "./browser.ts"
import { check, say } from "./checks.ts"
import type { Office } from "./runs.ts"
import type { Json, Server } from "./server.ts"

interface Shown {
  readonly works: Json
  /** A run whose agent printed these lines. */
  readonly noise: { readonly run: Json; readonly lines: readonly string[] }
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

/** Installs the adapter in the page's dialog. False where there is no Chromium. */
export async function installByDialog({ url }: Server, adapter: string, pictures: string): Promise<boolean> {
  const browser = await openBrowser(pictures)
  if (browser === null) return false
  try {
    await browser.open(`${url}/instance/settings/adapters`)
    check("the page has a dialog for adapters", await browser.click("Install Adapter"), await browser.text())
    check("which takes a path", await browser.click("Local path"), await browser.text())
    check("whose field takes ours", await browser.fill("#adapterLocalPath", adapter), await browser.text())
    await browser.picture("install-dialog")
    check("and installs it", await browser.click("Install", true), await browser.text())
    check("the page lists it then", await browser.shows(/escapement/i), await browser.text())
    await browser.picture("installed")
  } finally {
    await browser.close()
  }
  return true
}

/** Reported as skipped where there is no Chromium. Pictures go to the directory `pictures`. */
export async function checkPages({ server, prefix }: Office, { works, noise }: Shown, pictures: string): Promise<void> {
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
    const fields = ["Chart", "Prompt parameter", "Parameters", "Work directory", "Log level"]
    for (const field of fields) check(`the form has ${field}`, await browser.shows(field), await browser.text())
    await browser.picture("agent-form")

    await browser.open(`${base}/${works.agentId}/runs/${works.id}`)
    check("a run's page shows its end and its tokens", await browser.shows(/succeeded[\s\S]*Input\s+150/))
    check("and its lines as they are", await browser.shows("planner │ I look."), await browser.text())
    await browser.picture("run")

    await browser.prepare(MENDED)
    await browser.open(`${base}/${works.agentId}/runs/${works.id}`)
    const isRead = await browser.shows(/INIT\s*model as the chart says[\s\S]*All is done\.[\s\S]*150 \/ 25 \/ \$0\.03/)
    check("with its worker mended the page reads them with our parser", isRead, await browser.text())
    await browser.picture("run-mended")

    await browser.open(`${base}/${noise.run.agentId}/runs/${noise.run.id}`)
    const isRight = await browser.shows(/All is done\.[\s\S]*150 \/ 25 \/ \$0\.03/)
    check("a noisy run's page has the run's own totals", isRight, await browser.text())
    const shown = await browser.text()
    const lost = noise.lines.filter(line => !shown.includes(line))
    check("and each line that its agent printed, letter by letter", lost.length === 0, lost)
    const wrong = [/INIT\s*model opus/i, /9,?000,?000 \/ 5/, /used bash/i].filter(words => words.test(shown))
    check("and takes none of them for a line of the run", wrong.length === 0, wrong)
    await browser.picture("run-noisy")
  } finally {
    await browser.close()
  }
  say(`pictures of the page: ${pictures}`)
}
