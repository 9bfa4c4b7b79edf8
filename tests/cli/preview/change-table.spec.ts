import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assertGolden, markdownOf, readFixture } from "./support/golden.js";

const fixtures = readdirSync(fileURLToPath(new URL("fixtures/", import.meta.url)))
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => file.replace(/\.jsonl$/, ""));

// tests/e2e/preview records these logs, and compares them with the engine's output.
describe("The comment of a recorded preview matches its golden file:", () => {
    for (const name of fixtures) {
        it(name, async () => {
            await assertGolden(name, await markdownOf(await readFixture(name)));
        });
    }
});
