// Tests the session menu: its actions, and the reasons of unavailable ones.
import { testWalks } from "../scripted.ts"

await testWalks("menu")
