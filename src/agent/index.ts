// What an agent of one's own needs to speak the wire.
export type { Command } from "../../packages/wire/src/command.ts"
export type { Json, JsonObject } from "../../packages/wire/src/json.ts"
export { Agent, type AgentOptions, createAgent, RunEndedError } from "./agent.ts"
export type { AgentSession, SessionModel, TurnOutcome, TurnRequest, TurnUsage } from "./agent-session.ts"
export type { GateOptions } from "./gates.ts"
export {
  CancelledError,
  type ConfirmQuestion,
  type MultiQuestion,
  type Question,
  type QuestionOption,
  type SelectQuestion,
  type TextQuestion,
} from "./questions.ts"
