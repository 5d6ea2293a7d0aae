// An agent of one's own: it asks for a subject, streams a poem, and can be held before each line.
import { setTimeout as sleep } from "node:timers/promises"
import { createAgent } from "opentui-sidecar/agent"

const agent = await createAgent({ chart: "poem" })
void agent.openScreen()

await agent.run(async () => {
  agent.enter("asking")
  const subject = await agent.ask("What shall the poem be about?")
  agent.enter("writing")
  const poet = agent.session("poet", { model: "rhymes-1" })
  poet.begin(`Write a poem about ${subject}.`)
  for (const line of [`O ${subject}, at dawn`, "you are early again.", "So am I."]) {
    await agent.gate({ name: "line" })
    for (const word of line.split(" ")) {
      poet.delta(`${word} `)
      await sleep(20)
    }
    poet.delta("\n")
  }
  poet.end({ usage: { inputTokens: 9, outputTokens: 14 } })
  poet.close()
})
