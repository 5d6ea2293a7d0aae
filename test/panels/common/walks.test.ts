// Keeps what a person sees of what many panels have in common: jumps, searches, ops, lists, and what they open.
import { testWalks } from "../scripted.ts"

await testWalks("common")
