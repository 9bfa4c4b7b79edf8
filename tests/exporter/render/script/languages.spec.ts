import assert from "node:assert/strict";
import { Script } from "node:vm";
import { articleOf } from "../../support/one-page.js";

const day = "new Date(Date.UTC(2026, 10, 27, 13, 5))";

describe("Methods that depend on a language, in a page's code,", () => {
    for (const expression of [
        "(1234567.891).toLocaleString('en-US')",
        "(1234567.891).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })",
        "(0.256).toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 })",
        "NaN.toLocaleString('en-US')",
        "12345678901234567890n.toLocaleString('en-US')",
        "[1234.5, 6].toLocaleString()",
        `${day}.toLocaleString('en-US', { timeZone: 'UTC' })`,
        `${day}.toLocaleDateString('fr-FR', { timeZone: 'UTC', dateStyle: 'long' })`,
        `${day}.toLocaleTimeString('en-US', { timeZone: 'Asia/Tokyo', timeStyle: 'short' })`,
        "new Date(NaN).toLocaleDateString('en-US')",
        "['z', 'ä', 'a'].sort((one, other) => one.localeCompare(other, 'de')).join()",
        "['v10', 'v9'].sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).join()",
        "'TITLE I'.toLocaleLowerCase('tr')",
        "'istanbul'.toLocaleUpperCase('tr')",
    ]) {
        it(`work as in Node.js: ${expression}`, async () => {
            const { html, warnings } = await articleOf(`<b>{${expression}}</b>\n`);
            const inNode = String(new Script(expression).runInThisContext());
            assert.deepEqual([/<b>(.*)<\/b>/.exec(html)?.[1], warnings], [inNode, []]);
        });
    }

    it("use English and UTC on every machine, if the page names neither", async () => {
        const { html } = await articleOf(`<b>{(1234.5).toLocaleString() + " on " + ${day}.toLocaleString()}</b>\n`);
        assert.match(html, /<b>1,234\.5 on 11\/27\/2026, 1:05:00.PM<\/b>/);
    });

    it("are left out with a warning if the language does not exist, or the code uses Intl", async () => {
        const { warnings } = await articleOf(
            "{(1).toLocaleString('not a language')}\n\n{new Intl.NumberFormat().format(1)}\n",
        );
        assert.match(warnings[0] ?? "", /Incorrect locale information provided/);
        assert.match(warnings[1] ?? "", /Intl/);
    });
});
