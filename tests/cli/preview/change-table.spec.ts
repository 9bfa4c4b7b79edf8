import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assertGolden, markdownOf, readFixture } from "./support/golden.js";

const fixtures = readdirSync(fileURLToPath(new URL("fixtures/", import.meta.url)))
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => file.replace(/\.jsonl$/, ""));

// Recorded by tests/e2e/preview, which compares them with what the engine says.
describe("The comment of a recorded preview matches its golden file:", () => {
    for (const name of fixtures) {
        it(name, async () => {
            await assertGolden(name, await markdownOf(await readFixture(name)));
        });
    }
});
