import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";

/** Evaluates expressions, and returns their values, one per line. */
async function valuesOf(...expressions: string[]): Promise<string[]> {
    const { html, warnings } = await articleOf(expressions.map((expression) => `x{${expression}}x`).join("\n\n"));
    assert.deepEqual(warnings, []);
    return [...html.matchAll(/<p>x(.*)x<\/p>/g)].map(([, value = ""]) => value);
}

describe("regular expressions on pages", () => {
    it("replace the first match or all matches", async () => {
        assert.deepEqual(
            await valuesOf(
                '"#a#b".replace(/^#/, "")',
                '"a-b-c".replace(/-/, "+")',
                '"a-b-c".replace(/-/g, "+")',
                '"a-b-c".replaceAll("-", "+")',
                '"aXbx".replace(/x/gi, "")',
            ),
            ["a#b", "a+b-c", "a+b+c", "a+b+c", "ab"],
        );
    });

    it("pass their groups to the replacement, which can be a function", async () => {
        assert.deepEqual(
            await valuesOf(
                '"Ada Lovelace".replace(/(\\w+) (\\w+)/, "$2, $1 [$&] $$ $3")',
                '"2026-11".replace(/(?<year>\\d+)-(?<month>\\d+)/, "$<month>/$<year>")',
                '"get_user_name".replace(/_(\\w)/g, (whole, letter) => letter.toUpperCase())',
            ),
            ["Lovelace, Ada [Ada Lovelace] $ $3", "11/2026", "getUserName"],
        );
    });

    it("can test, find, split and match", async () => {
        assert.deepEqual(
            await valuesOf(
                '/^v\\d/.test("v2") ? "yes" : "no"',
                '/^v\\d/.test("x") ? "yes" : "no"',
                '"a, b;c".split(/[,;] */).join("|")',
                '"ab12".search(/\\d/)',
                '"ab".search(/\\d/)',
                '"k=v".match(/(\\w)=(\\w)/).slice(1).join("")',
                '"a1b2".match(/\\d/g).join("+")',
                '(/x/.exec("y") ?? "none")',
                '[..."a1b2".matchAll(/[a-z](\\d)/g)].map(([, digit]) => digit).join("")',
            ),
            ["yes", "no", "a|b|c", "2", "-1", "kv", "1+2", "none", "12"],
        );
    });

    it("can be strings, which split and replace use literally", async () => {
        assert.deepEqual(
            await valuesOf(
                '"v2.10".match("\\\\d+")[0]',
                '"a.b".search(".")',
                '[..."a1b2".matchAll("\\\\d")].map(([digit]) => digit).join("+")',
                '"a.b.c".split(".").join("|")',
                '"a.b".replace(".", "-")',
                '"a.b.c".replaceAll(".", "-")',
            ),
            ["2", "0", "1+2", "a|b|c", "a-b", "a-b-c"],
        );
    });

    it("are left out with a warning if their pattern is invalid", async () => {
        const { html, warnings } = await articleOf('x{"a(b".search("(")}x\n');
        assert.match(html, /<p>xx<\/p>/);
        assert.match(String(warnings[0]), /its code throws "expecting '\)'"/);
    });

    it("support lookaround and backreferences", async () => {
        assert.deepEqual(await valuesOf('"ab".replace(/a(?=b)/, "c")', '/(a)\\1/.test("aa") ? "yes" : "no"'), [
            "cb",
            "yes",
        ]);
    });

    it("stay within the computation limit of a page", async () => {
        const before = process.cpuUsage();
        for (const code of [
            "/^(a+)+$/.test(a + 'b')",
            'a.replace(/a/g, "$&".padEnd(10000, "$&"))',
            "Array.from({ length: 1000 }, () => a).map((text) => text.replace(/(.*)(.*)(.*)x/, text)).length",
        ]) {
            const { warnings } = await articleOf(`export const a = "a".padEnd(10000, "a")\n\n{${code}}\n`);
            assert.match(String(warnings), /computes too much/, code);
        }
        assert.ok(process.cpuUsage(before).user < 12_000_000);
    });
});
