// Tests filters and the search on the screen: the field with its mistakes, the counts and the list.
import { testWalks } from "../scripted.ts"

await testWalks("filters")
